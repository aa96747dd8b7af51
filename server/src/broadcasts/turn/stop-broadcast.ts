import type { HoldReason, PauseReason } from '../../contract/broadcasts/broadcasts.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { minuteMs, secondMs } from '../../lib/durations.ts'
import type { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import {
  type BroadcastRow,
  findExpiredBroadcasts,
  findOpenMessage,
  findScheduled,
  findUnpaused,
  saveBroadcast,
} from '../../store/broadcasts/broadcasts.ts'
import { ConditionFailed, StoreUnavailable } from '../../store/engine/store-error.ts'
import { unitOf } from '../../store/engine/unit.ts'
import { isHold } from '../broadcast.ts'
import { byGateway, changeState, pauseFor, running } from '../start-broadcast.ts'

/** Stops it for a reason of which everybody is told; a hold that goes on is not told again. */
export async function stopBroadcast(rt: Runtime, row: BroadcastRow, stop: Stop): Promise<void> {
  if ('hold' in stop) return hold(rt, row, stop.hold, rt.clock.now() + stop.forMs)
  rt.metrics.broadcastStops.inc({ reason: stop.pause })
  await changeState(rt, row, byGateway, (current) => (current.status === 'running' ? pauseFor(rt, stop.pause) : null))
}

export async function hold(rt: Runtime, row: BroadcastRow, reason: HoldReason, until: number): Promise<void> {
  if (row.reason === reason) {
    await rt.store.write(unitOf(saveBroadcast, { ...row, hold_until: until })).catch(unlessChanged)
    return
  }
  rt.metrics.broadcastStops.inc({ reason })
  await changeState(rt, row, byGateway, (current) => {
    if (current.status !== 'running') return null
    const patch = { reason, reason_since: rt.clock.now(), hold_until: until }
    return { patch, action: 'broadcast.held', event: 'broadcast.held' }
  })
}

/** Another writer was faster, and the next turn sees what it did. */
function unlessChanged(error: unknown): void {
  if (!(error instanceof ConditionFailed)) throw error
}

/** The reason for the hold has passed. */
export async function endHold(rt: Runtime, row: BroadcastRow): Promise<void> {
  await changeState(rt, row, byGateway, (current) => {
    if (current.status !== 'running' || !isHold(current.reason)) return null
    const patch = { reason: null, reason_since: null, hold_until: null }
    return { patch, action: 'broadcast.resumed', event: 'broadcast.resumed' }
  })
}

/** All recipients processed: it is over once nothing of it is under way or waits. True where it is. */
export async function completeBroadcast(rt: Runtime, row: BroadcastRow): Promise<boolean> {
  const open = await rt.store.read(findOpenMessage, { broadcast_id: row.id, count: 1 })
  if (open.length > 0) return false
  await changeState(rt, row, byGateway, (current) =>
    current.status === 'running' || current.status === 'paused'
      ? {
          patch: { status: 'completed', reason: null, reason_since: null, hold_until: null, ended_at: rt.clock.now() },
          action: 'broadcast.completed',
          event: 'broadcast.completed',
        }
      : null,
  )
  return true
}

const batch = 100

/**
 * Broadcasts whose time has come begin, and those whose time is over end; also where a number or an account is closed. One
 * that fails for a reason of ours stops no other: this comes before the turns of all numbers.
 */
export async function followTimes(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  await each(rt, await rt.store.read(findScheduled, { now, count: batch }), (row) =>
    changeState(rt, row, byGateway, (current) =>
      current.status === 'scheduled'
        ? { patch: running(rt, current), action: 'broadcast.started', event: 'broadcast.started' }
        : null,
    ),
  )
  // Its messages that wait have the same end, and are ended by that.
  await each(rt, await rt.store.read(findExpiredBroadcasts, { now, count: batch }), (row) => completeBroadcast(rt, row))
}

async function each(rt: Runtime, rows: readonly BroadcastRow[], change: (row: BroadcastRow) => Promise<unknown>) {
  for (const row of rows) {
    try {
      await change(row)
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      rt.log.error({ err: error, broadcast_id: row.id, account_id: row.account_id }, 'broadcast.not_changed')
    }
  }
}

/**
 * After a restore, broadcasts that would resume automatically wait for a person, because their messages may already have
 * been sent.
 */
export async function pauseAll(rt: Runtime): Promise<void> {
  for (const row of await rt.store.read(findUnpaused, {})) {
    await changeState(rt, row, byGateway, (current) =>
      ['running', 'scheduled'].includes(current.status) ? pauseFor(rt, 'restored') : null,
    )
  }
}

/** The reason a broadcast stops: held for a while, or paused until a person resumes it. */
export type Stop = { hold: HoldReason; forMs: number } | { pause: PauseReason }

const stops: Partial<Record<ErrorCode, Stop>> = {
  template_paused: { hold: 'template_paused', forMs: 5 * minuteMs },
  template_syncing: { hold: 'template_paused', forMs: 10 * minuteMs },
  template_disabled: { pause: 'template_rejected' },
  template_not_approved: { pause: 'template_rejected' },
  template_not_found: { pause: 'template_rejected' },
  channel_not_connected: { hold: 'channel', forMs: minuteMs },
  channel_auth_failed: { hold: 'channel', forMs: minuteMs },
  channel_number_not_registered: { hold: 'channel', forMs: minuteMs },
  channel_permission_missing: { hold: 'channel', forMs: minuteMs },
  channel_account_restricted: { pause: 'restricted' },
  channel_spam_limited: { pause: 'restricted' },
  channel_payment_missing: { pause: 'payment_missing' },
  channel_payment_terms_missing: { pause: 'payment_missing' },
  service_unavailable: { hold: 'meta_unavailable', forMs: 30 * secondMs },
  upstream_unavailable: { hold: 'meta_unavailable', forMs: 30 * secondMs },
  budget_exceeded: { pause: 'budget' },
  media_link_unreachable: { pause: 'too_many_failures' },
}

/** A stop if the error concerns all recipients; null if it concerns only one. */
export function stopFor(code: ErrorCode): Stop | null {
  return stops[code] ?? null
}

const rememberedMax = 200
const sameMax = 100
const unansweredMax = 10
/** Meta's limit for one person says nothing about the others. */
const aboutOnePerson = 'recipient_marketing_limited'

/** The last results of a broadcast, to see when going on would only make things worse. */
export class RecentResults {
  #codes: (string | null)[] = []
  #unanswered = 0
  stop: Stop | null = null

  /** The platform's error; null if it accepted the message. */
  add(failure: PlatformError | null): void {
    const unanswered = failure !== null && failure.outcome !== 'refused'
    this.#unanswered = unanswered ? this.#unanswered + 1 : 0
    if (this.#unanswered >= unansweredMax) this.stop ??= { hold: 'meta_unavailable', forMs: 30 * secondMs }
    this.#codes.push(failure === null ? null : failure.code)
    if (this.#codes.length > rememberedMax) this.#codes.shift()
    if (failure === null || unanswered || failure.passesSoon) return
    this.stop ??= stopFor(failure.code) ?? this.#tooMany(failure.code)
  }

  #tooMany(code: string): Stop | null {
    if (code === aboutOnePerson) return null
    return this.#codes.filter((one) => one === code).length > sameMax ? { pause: 'too_many_failures' } : null
  }

  /** The stop is being made, and everything counts anew. */
  reset(): void {
    this.#codes = []
    this.#unanswered = 0
    this.stop = null
  }
}
