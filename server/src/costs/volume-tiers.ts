import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { AccountItem } from '../platform/callback-item.ts'
import type { Runtime } from '../runtime.ts'
import { readTiers, saveTier } from '../store/costs/volume-tiers.ts'
import { unitOf } from '../store/engine/unit.ts'

/** Information beside the list rate: what a message costs in a tier stands in no report, so nothing is computed from it. */
export async function keepTier(
  rt: Pick<Runtime, 'store'>,
  channel: { id: string; accountId: string },
  { event, detail }: Pick<AccountItem, 'event' | 'detail'>,
): Promise<void> {
  if (event !== 'VOLUME_BASED_PRICING_TIER_UPDATE') return
  const tier = tierIn(detail?.volume_tier_info)
  if (tier) await rt.store.write(unitOf(saveTier, { account_id: channel.accountId, channel_id: channel.id, ...tier }))
}

/** Null where a part is missing or is not what Meta documents. */
function tierIn(info: unknown) {
  if (typeof info !== 'object' || info === null) return null
  const given = info as Record<string, unknown>
  const wordOf = (name: string) => {
    const word = given[name]
    return typeof word === 'string' && word.length <= 100 ? word : ''
  }
  const [month, tier, region] = [wordOf('effective_month'), wordOf('tier'), wordOf('region')]
  const category = wordOf('pricing_category').toLowerCase()
  const since = Number(given.tier_update_time) * 1_000
  const isWhole = category !== '' && region !== '' && tier !== '' && Number.isSafeInteger(since) && since > 0
  return isWhole && /^\d{4}-\d{2}$/.test(month) ? { month, category, region, tier, since } : null
}

/** Of the months that a range of days touches, the newest month first. */
export async function listTiers(rt: Runtime, accountId: string, { from, to }: { from: number; to: number }) {
  const monthOf = (day: number) => new Date(day).toISOString().slice(0, 7)
  const range = { first: monthOf(from), last: monthOf(to - dayMs) }
  const rows = await rt.store.read(readTiers, { account_id: accountId, ...range })
  return rows.map(({ since, ...row }) => ({ ...row, since: formatInstant(since) }))
}
