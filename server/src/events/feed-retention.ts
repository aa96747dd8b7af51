import { dayMs, hourMs } from '../lib/durations.ts'
import { firstIdAt, timeOfId } from '../lib/ids.ts'
import type { Runtime } from '../runtime.ts'
import { replaceFact } from '../store/accounts/installation.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { endDeliveries, skipOldHeld } from '../store/webhooks/deliveries.ts'
import { feedLag, lastEventAmongForeign, newestForeignEvent, settleEvents } from '../store/webhooks/events.ts'
import { feedEpochName } from './read-feed.ts'

const batch = 1_000
const heldMsMax = dayMs

/**
 * Events, deliveries and attempts are kept equally long. What has waited for longer than that came to its end before. A delivery
 * that was held for a day is skipped.
 */
export async function expireOldEvents(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - rt.config.retentionDeliveriesDays * dayMs
  const unit = unitOf(skipOldHeld, { before: rt.clock.now() - heldMsMax, count: batch })
  await rt.store.writeApart(endDeliveries(unit, rt.store.engine))
  await rt.store.days.drop('attempts', before)
  await rt.store.days.drop('deliveries', before)
  await rt.store.days.drop('events', before)
  return 'done'
}

/** For the operator's gauge: the feed shows nothing past a transaction that does not end, even one of another program. */
export async function measureFeed(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const [row] = await rt.store.read(feedLag, { ids: lagSteps.map((ageMs) => firstIdAt('evt', now - ageMs)) })
  const id = row?.id ?? null
  rt.metrics.feedLag.set({}, id === null ? 0 : (now - timeOfId(id)) / 1_000)
}

const lagSteps = [10_000, 30_000, 60_000, 120_000, 300_000, 900_000, hourMs, 6 * hourMs]

const batchSize = 5_000

/**
 * For a database that was restored: every cursor made before is refused from now on, and its reader told to start
 * again. On PostgreSQL it also settles events with transaction numbers of another cluster, which the feed would hide.
 */
export async function resetFeed(rt: Runtime): Promise<{ epoch: string; settled: number }> {
  const settled = await settleForeignEvents(rt)
  const epoch = rt.newId('fep')
  await rt.store.write(unitOf(replaceFact, { name: feedEpochName, value: epoch }))
  return { epoch, settled }
}

/**
 * At the start: events that provably come from another cluster need a reset, whether or not the operator asked for it.
 */
export async function resetForeignFeed(rt: Runtime): Promise<void> {
  const [foreign] = await rt.store.read(newestForeignEvent, {})
  if (foreign) rt.log.warn(await resetFeed(rt), 'feed.reset_after_restore')
}

async function settleForeignEvents(rt: Runtime): Promise<number> {
  const [foreign] = await rt.store.read(lastEventAmongForeign, {})
  if (!foreign) return 0
  let settled = 0
  for (let after = ''; ; ) {
    const unit = new Unit()
    const batch = unit.add(settleEvents, { after, last: foreign.id, count: batchSize })
    const rows = (await rt.store.writeApart(unit)).rows(batch)
    settled += rows.length
    if (rows.length < batchSize) return settled
    after = rows.reduce((last, { id }) => (id > last ? id : last), after)
  }
}
