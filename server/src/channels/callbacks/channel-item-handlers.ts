import { keepTier } from '../../costs/reported-costs.ts'
import { unitOf } from '../../store/engine/unit.ts'
import { enqueueJob } from '../../store/jobs/jobs.ts'
import { tellAccount, tellUsername } from '../operator-news.ts'
import { refreshJob } from '../refresh-channel.ts'
import type { ItemHandler, ItemHandlers, ItemOutcome } from './callback-items.ts'

/**
 * News about numbers and business accounts: quality, limits, names, bans, reviews, alerts. The words of these callbacks
 * change from year to year and come in any order, so they are taken as a hint only: the channel is asked at once how it
 * is, and that answer is what counts. The items themselves stay recorded.
 */
const refreshSoon: ItemHandler = async (rt, batch) => {
  const channels = new Map(batch.map(({ context }) => [context.channel.id, context.accountId]))
  await rt.store.write(
    unitOf(enqueueJob, ...[...channels].map(([id, accountId]) => refreshJob(rt, { id, accountId }, 0))),
  )
  return batch.map((): ItemOutcome => 'applied')
}

/** News that asks nothing of an operator: approvals, permissions, prices. */
const harmless: ReadonlySet<string> = new Set([
  'ACCOUNT_RECONNECTED',
  'AD_ACCOUNT_LINKED',
  'APPROVED',
  'approved',
  'reserved',
  'phone_number_settings',
  'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
  'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE',
  'MM_LITE_TERMS_SIGNED',
  'PARTNER_ADDED',
  'PARTNER_APP_INSTALLED',
  'VERIFIED_ACCOUNT',
  'VOLUME_BASED_PRICING_TIER_UPDATE',
])

/** Bans, restrictions and whatever is new an operator has to see at once. */
const reportAndRefresh: ItemHandler<'account'> = async (rt, batch, mayAsk) => {
  for (const { item, context } of batch) {
    const { field, event } = item
    const about = { account_id: context.accountId, channel_id: context.channel.id, field, event }
    const level = event !== null && harmless.has(event) ? 'info' : 'warn'
    rt.log[level](about, 'channel.account_reported')
    const { id, wabaId } = context.channel
    const channel = { id, wabaId, accountId: context.accountId }
    if (field === 'business_username_updates') await tellUsername(rt, channel, item)
    else await tellAccount(rt, channel, item)
    await keepTier(rt, channel, item)
  }
  return refreshSoon(rt, batch, mayAsk)
}

export const channelItemHandlers: ItemHandlers = {
  number_quality: refreshSoon,
  number_name: refreshSoon,
  account: reportAndRefresh,
  capability: refreshSoon,
}
