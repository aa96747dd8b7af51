import type { Runtime } from '../runtime.ts'
import { replaceFact } from '../store/accounts/installation.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { lastEventAmongForeign, newestForeignEvent, settleEvents } from '../store/webhooks/events.ts'
import { feedEpochName } from './feed-cursor.ts'

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
