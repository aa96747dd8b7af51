import { minuteMs } from '../../lib/durations.ts'
import type { HttpFailure, HttpResponse } from '../../lib/guarded-http/guarded-http.ts'
import { retryAfterMs } from '../../lib/retry-after.ts'

export type Judgement = {
  /** `ours`: the gateway itself failed; it is no attempt and nobody is charged. */
  readonly verdict: 'ok' | 'failed' | 'ours'
  readonly statusCode: number | null
  readonly errorCode: string | null
  readonly errorMessage: string | null
  /** The whole webhook waits this long. */
  readonly pauseMs: number
  /** The receiver says it is gone for good. */
  readonly gone: boolean
  /** Some answer came, whatever it said. */
  readonly answered: boolean
  /** The gateway itself has no sockets or no memory left. */
  readonly exhausted: boolean
}

/** A 429 that does not say how long. */
const pauseMsDefault = minuteMs

/** The body is only for the log. */
export type Judged = HttpFailure | Pick<HttpResponse, 'kind' | 'statusCode' | 'headers'>

/** What an exchange means for the delivery: success is a status from 200 to 299, and nothing else. */
export function judgeAnswer(outcome: Judged, now: number): Judgement {
  if (outcome.kind === 'failure') {
    const { code, message, exhausted = false } = outcome
    const verdict = code === 'our_fault' ? 'ours' : 'failed'
    return {
      verdict,
      statusCode: null,
      errorCode: code,
      errorMessage: message,
      pauseMs: 0,
      gone: false,
      answered: code === 'protocol_error',
      exhausted,
    }
  }
  const { statusCode, headers } = outcome
  const ok = statusCode >= 200 && statusCode <= 299
  const asked = ok ? null : retryAfterMs(headers['retry-after'], now)
  const redirected = statusCode >= 300 && statusCode <= 399
  return {
    verdict: ok ? 'ok' : 'failed',
    statusCode,
    errorCode: redirected ? 'redirect_not_followed' : null,
    errorMessage: redirected ? redirectMessage(headers.location) : null,
    pauseMs: asked ?? (statusCode === 429 ? pauseMsDefault : 0),
    gone: statusCode === 410,
    answered: true,
    exhausted: false,
  }
}

/** No name of a host is longer; what a receiver sends may be. */
const hostCharactersMax = 253

/** The host helps to find the mistake; the rest of the address may hold a secret. */
function redirectMessage(location: string | undefined): string {
  const host = URL.parse(location ?? '', 'relative://same-host')?.host.slice(0, hostCharactersMax)
  const to = host === undefined || host === 'same-host' ? 'the same host' : host
  return `The receiver redirects to ${to}. Redirects are not followed; register the final address.`
}
