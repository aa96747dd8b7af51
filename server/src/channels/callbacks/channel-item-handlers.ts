import { Unit } from '../../store/engine/unit.ts'
import { enqueueJob } from '../../store/jobs/jobs.ts'
import { refreshJobKind } from '../refresh-channel.ts'
import type { ItemHandler, ItemHandlers, ItemOutcome } from './callback-handler.ts'

/**
 * News about numbers and business accounts: quality, limits, names, bans, reviews, alerts. The words of these callbacks
 * change from year to year and come in any order, so they are taken as a hint only: the channel is asked at once how it
 * is, and that answer is what counts. The items themselves stay recorded.
 */
const refreshSoon: ItemHandler = async (rt, batch) => {
  const channels = new Map(batch.map(({ context }) => [context.channel.id, context.accountId]))
  const now = rt.clock.now()
  const unit = new Unit()
  unit.add(
    enqueueJob,
    ...[...channels].map(([subject, account_id]) => ({
      id: rt.newId('job'),
      lane: 'main',
      kind: refreshJobKind,
      subject,
      account_id,
      payload: '{}',
      run_at: now,
      now,
    })),
  )
  await rt.store.write(unit)
  return batch.map((): ItemOutcome => 'applied')
}

export const channelItemHandlers: ItemHandlers = {
  number_quality: refreshSoon,
  number_name: refreshSoon,
  account: refreshSoon,
  capability: refreshSoon,
}
