import { randomUUID } from 'node:crypto'
import type { ItemHandlers } from '../channels/callbacks/callback-items.ts'
import { retryItems } from '../channels/callbacks/retry-items.ts'
import { startWakeLoop } from '../lib/async/wake-loop.ts'
import type { Runtime } from '../runtime.ts'
import { type ClaimedCallbackItem, claimCallbackItems, settleCallbackItem } from '../store/channels/callback-items.ts'
import { dueCallbackWork } from '../store/channels/callbacks.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'

const itemsMax = 500
const pollMs = 1_000
/** Every stored callback wakes this loop too, and hardly one leaves something to it. */
const gapMs = 100
const cutOffMs = 1_000

/**
 * Takes up items of callbacks again: what found no place yet, and what the platform has to be asked about. Beside the
 * applier, because a platform that hangs for one business account must not hold up the statuses of all the others.
 */
export function startCallbackRetrier(rt: Runtime, handlers: ItemHandlers): { stop(): Promise<void> } {
  let stopping = false
  /** Claimed, and cut off when the database went away. */
  let claimed: readonly ClaimedCallbackItem[] = []
  const loop = startWakeLoop({ run: retryDue, gapMs, log: rt.log, failureEvent: 'callback_items.not_applied' })
  const stopListening = rt.store.onCommit('callbacks', loop.wake)

  return {
    async stop() {
      stopping = true
      stopListening()
      await loop.stop()
    },
  }

  async function retryDue(): Promise<number> {
    while (!stopping && (await round()));
    return pollMs
  }

  /** True when there was something to do. */
  async function round(): Promise<boolean> {
    await giveBack()
    const now = rt.clock.now()
    const [due] = await rt.store.read(dueCallbackWork, { now })
    if (!due?.items) return false
    const lease = { now, lease_until: now + rt.config.jobLeaseMs, claim: randomUUID() }
    const unit = new Unit()
    const call = unit.add(claimCallbackItems, { ...lease, count: itemsMax })
    claimed = (await rt.store.write(unit)).rows(call)
    if (claimed.length > 0) await retryItems(rt, handlers, claimed)
    claimed = []
    return true
  }

  /** An interrupted round is repeated as soon as the database accepts a write. */
  async function giveBack(): Promise<void> {
    if (claimed.length === 0) return
    const now = rt.clock.now()
    const rows = claimed.map((item) => ({ ...item, due_at: cutOffUntil(rt, item.attempts), now }))
    await rt.store.write(unitOf(settleCallbackItem, ...rows))
    claimed = []
  }
}

/**
 * Under its claim, what was cut off would wait for the end of the lease, a minute. What is cut off again and again waits
 * longer each time, and at most as long as the lease.
 */
export function cutOffUntil({ clock, config }: Runtime, attempts: number): number {
  const waitMs = attempts === 1 ? 0 : Math.min(cutOffMs * 2 ** (attempts - 2), config.jobLeaseMs)
  return clock.now() + waitMs
}
