import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { followTimes, pauseAll } from '../broadcasts/turn/stop-broadcast.ts'
import { type BroadcastMemory, newMemory, takeNumberTurn } from '../broadcasts/turn/take-broadcast-turn.ts'
import { startWakeLoop } from '../lib/async/wake-loop.ts'
import { withTimeout } from '../lib/async/with-timeout.ts'
import { minuteMs } from '../lib/durations.ts'
import type { Gate } from '../limits/quota.ts'
import { holdAfterRestore } from '../messages/waiting/hold-waiting.ts'
import { expireDue, type Lane } from '../messages/waiting/take-turn.ts'
import type { Runtime } from '../runtime.ts'
import { findBroadcastLanes } from '../store/broadcasts/broadcasts.ts'
import { unitOf } from '../store/engine/unit.ts'
import { claimLane, findLanes, leaveLane } from '../store/messages/waiting.ts'

export type SendLanes = {
  /** Takes nothing more, and waits for the calls under way. */
  drain(timeoutMs: number): Promise<void>
}

const pollMs = 1_000
const turnPauseMaxMs = 1_000
/** After a crash another node goes on so late, and a look later: what is due is two seconds late at most. */
const leaseMs = 1_000
/** Maximum delay of a send that becomes due while calls of its number are in flight. */
const underWayMs = 50
/** Waking up for each of a thousand acceptances a second would cost more than it brings. */
const gapMs = 10

/**
 * One loop per process looks which numbers have something due, and one lane per number takes turns until nothing is. Nodes
 * share the numbers by a lease; two that hold the same lane for a moment send nothing twice.
 */
export function startSendLanes(rt: Runtime, gate: Gate): SendLanes {
  const claim = randomUUID()
  const lanes = new Map<string, Promise<void>>()
  const memories = new Map<string, BroadcastMemory>()
  const clock = createJumpWatch()
  let stopping = false
  const loop = startWakeLoop({ run: look, gapMs, log: rt.log, failureEvent: 'waiting.not_looked_at' })
  const stopListening = rt.store.onCommit('waiting', loop.wake)

  return {
    async drain(timeoutMs) {
      stopping = true
      stopListening()
      await withTimeout(Promise.all([loop.stop(), ...lanes.values()]), timeoutMs)
    },
  }

  async function look(): Promise<number> {
    const jumpedMs = clock.heldMs(rt.clock.now(), performance.now())
    if (jumpedMs > 0) {
      rt.log.warn({ held_ms: jumpedMs }, 'waiting.held_after_clock_jump')
      return jumpedMs
    }
    await holdAfterRestore(rt, () => pauseAll(rt))
    const more = await expireDue(rt)
    await followTimes(rt)
    const now = rt.clock.now()
    let nextAt = now + pollMs
    for (const { number_id, codes_at, others_at } of await rt.store.read(findLanes, {})) {
      const dueAt = Math.min(codes_at ?? Number.POSITIVE_INFINITY, others_at ?? Number.POSITIVE_INFINITY)
      if (dueAt > now) nextAt = Math.min(nextAt, dueAt)
      else if (!lanes.has(number_id)) open(number_id)
    }
    for (const { number_id, due_at } of await rt.store.read(findBroadcastLanes, {})) {
      if (due_at > now) nextAt = Math.min(nextAt, due_at)
      else if (!lanes.has(number_id)) open(number_id)
    }
    return more ? 0 : nextAt - now
  }

  function open(numberId: string): void {
    const lane = run(numberId).then(
      (hasTaken) => {
        lanes.delete(numberId)
        // When the next is due was not looked at while there was a lane.
        if (hasTaken) loop.wake()
      },
      (error: unknown) => {
        lanes.delete(numberId)
        rt.log.warn({ err: error, number_id: numberId }, 'waiting.lane_stopped')
      },
    )
    lanes.set(numberId, lane)
  }

  /** Until nothing is due; whether anything was. */
  async function run(numberId: string): Promise<boolean> {
    const lane: Lane = { numberId, running: new Set() }
    const memory = memories.get(numberId) ?? newMemory()
    memories.set(numberId, memory)
    let heldUntil = 0
    let hasTaken = false
    try {
      while (!stopping && !isHeld()) {
        const now = rt.clock.now()
        if (heldUntil - now < (leaseMs * 2) / 3) {
          if (!(await hold(numberId, now))) return hasTaken
          heldUntil = now + leaseMs
        }
        const waitMs = await takeNumberTurn({ rt, gate, lane, memory })
        if (waitMs !== null) {
          hasTaken = true
          if (waitMs > 0) await pause(Math.min(waitMs, turnPauseMaxMs))
        } else if (lane.running.size > 0) await Promise.race([...lane.running, pause(underWayMs)])
        else return hasTaken
      }
      return hasTaken
    } finally {
      await Promise.all(lane.running)
      // Otherwise its lease ends by itself.
      if (heldUntil > 0 && rt.store.shared)
        await rt.store.write(unitOf(leaveLane, { number_id: numberId, claim })).catch(() => {})
    }
  }

  /** Everything with a time of its own would seem due at once. */
  function isHeld(): boolean {
    return clock.heldMs(rt.clock.now(), performance.now()) > 0
  }

  /** The one process of SQLite has no other to compete with. */
  async function hold(numberId: string, now: number): Promise<boolean> {
    if (!rt.store.shared) return true
    const unit = unitOf(claimLane, { number_id: numberId, claim, lease_until: now + leaseMs, now })
    return (await rt.store.write(unit)).first({ index: 0, returns: claimLane.returns }) !== undefined
  }
}

const aheadMs = minuteMs
const heldMs = minuteMs

/**
 * A clock that is suddenly far ahead makes everything due that was planned for later. It is believed after a minute, which
 * leaves time to set it right.
 */
export function createJumpWatch() {
  let last: { wallMs: number; steadyMs: number } | null = null
  let heldUntil = 0
  return {
    /** How long nothing can be sent. */
    heldMs(wallMs: number, steadyMs: number): number {
      const jumpedMs = last ? wallMs - last.wallMs - (steadyMs - last.steadyMs) : 0
      last = { wallMs, steadyMs }
      if (jumpedMs > aheadMs) heldUntil = steadyMs + heldMs
      if (jumpedMs < -aheadMs) heldUntil = 0
      return Math.max(0, heldUntil - steadyMs)
    },
  }
}
