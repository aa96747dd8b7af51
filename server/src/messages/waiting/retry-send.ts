import type { ErrorCode } from '../../contract/errors.ts'
import { minuteMs, secondMs } from '../../lib/durations.ts'
import type { PlatformError } from '../../platform/platform-error.ts'

export type WaitReason =
  | 'time'
  | 'rate'
  | 'meta'
  | 'channel'
  | 'template'
  | 'account'
  | 'person'
  | 'broadcast'
  | 'budget'
export type Wait = { forMs: number; reason: WaitReason }

const attemptsMs = [5 * secondMs, 30 * secondMs, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs]
const lookMs = { channel: minuteMs, template: 5 * minuteMs }

/** 5 s, 30 s, 2 min, 10 min, then every 30 min; never before the platform wants to hear of it again. */
export function pauseAfter(attempts: number, retryAfterMs = 0): number {
  const pauseMs = attemptsMs[Math.min(attempts, attemptsMs.length) - 1] ?? 5 * secondMs
  return Math.max(pauseMs, retryAfterMs)
}

const maintenance = 131_057
const synchronising = 134_101

/**
 * The wait after a rejection that certainly sent nothing; null if the message has failed. This is the complete list of
 * retried calls: nothing else is ever repeated.
 */
export function waitAfter(failure: PlatformError, attempts: number): Wait | null {
  const { outcome, upstream, retryAfterMs, code } = failure
  if (outcome === 'unknown') return null
  if (upstream.code === maintenance) return { forMs: 20 * secondMs, reason: 'meta' }
  if (upstream.code === synchronising) return { forMs: 10 * minuteMs, reason: 'template' }
  if (outcome === 'not_sent' || failure.passesSoon) {
    return { forMs: pauseAfter(attempts, retryAfterMs), reason: 'meta' }
  }
  return waitFor(code)
}

/** The wait of a message for which Meta wasn't called; null if it has failed. */
export function waitBefore(code: ErrorCode, attempts: number): Wait | null {
  if (code === 'service_unavailable' || code === 'upstream_unavailable' || code === 'internal_error') {
    return { forMs: pauseAfter(attempts), reason: 'meta' }
  }
  return waitFor(code)
}

function waitFor(code: ErrorCode): Wait | null {
  if (code === 'template_paused') return { forMs: lookMs.template, reason: 'template' }
  if (code === 'channel_auth_failed' || code === 'channel_not_connected' || code === 'channel_number_not_registered') {
    return { forMs: lookMs.channel, reason: 'channel' }
  }
  return null
}
