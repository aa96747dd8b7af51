import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { replaceFact } from '../store/accounts/installation.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { endDeliveries, skipOldHeld } from '../store/webhooks/deliveries.ts'
import {
  deleteEvent,
  feedLag,
  lastEventAmongForeign,
  listOldestEvents,
  newestForeignEvent,
  settleEvents,
} from '../store/webhooks/events.ts'
import { feedEpochName } from './read-feed.ts'

const batch = 1_000
const heldMsMax = dayMs

/**
 * Events, deliveries and attempts are kept equally long. What has waited for longer than that came to its end before; an event
 * with a delivery under way stays. A delivery that was held for a day is skipped.
 */
export async function expireOldEvents(rt: Runtime): Promise<'done' | { againAt: number }> {
  const before = rt.clock.now() - rt.config.retentionDeliveriesDays * dayMs
  const unit = unitOf(skipOldHeld, { before: rt.clock.now() - heldMsMax, count: batch })
  await rt.store.writeApart(endDeliveries(unit, rt.store.engine))
  await rt.store.days.drop('attempts', before)
  await rt.store.days.drop('deliveries', before)
  return (await expireEvents(rt, before)) ? { againAt: rt.clock.now() } : 'done'
}

/** True when there may be more. Pages of nothing but awaited ones are passed over. */
async function expireEvents(rt: Runtime, before: number): Promise<boolean> {
  for (let after = { after_at: 0, after_seq: 0 }; ; ) {
    const page = await rt.store.read(listOldestEvents, { before, ...after, count: batch })
    const done = page.filter(({ waited_for }) => waited_for === 0)
    const unit = new Unit()
    if (done.length > 0) unit.add(deleteEvent, ...done.map(({ seq }) => ({ seq })))
    if (done.length > 0) await rt.store.writeApart(unit)
    const last = page.at(-1)
    if (!last || done.length > 0 || page.length < batch) return page.length === batch
    after = { after_at: last.created_at, after_seq: last.seq }
  }
}

/** For the operator's gauge: the feed shows nothing past a transaction that does not end, even one of another program. */
export async function measureFeed(rt: Runtime): Promise<void> {
  const [row] = await rt.store.read(feedLag, { now: rt.clock.now() })
  rt.metrics.feedLag.set({}, (row?.lag ?? 0) / 1_000)
}

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
  for (let after = 0; ; ) {
    const unit = new Unit()
    const batch = unit.add(settleEvents, { after, last: foreign.seq, count: batchSize })
    const rows = (await rt.store.writeApart(unit)).rows(batch)
    settled += rows.length
    if (rows.length < batchSize) return settled
    after = Math.max(...rows.map(({ seq }) => seq))
  }
}
