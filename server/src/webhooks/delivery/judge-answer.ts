import type { IncomingHttpHeaders } from 'node:http'
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
type Judged = HttpFailure | Pick<HttpResponse, 'kind' | 'statusCode' | 'headers'>

/** The result of an exchange: only a status from 200 to 299 is a success. */
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

/** Enough to find a mistake, small enough to store for every attempt. */
export const responseBytesKept = 4_096
const headersKept = 30
const headerNameCharactersMax = 64
const headerCharactersMax = 256

/**
 * Text that any database stores: invalid UTF-8 and NUL become the replacement character. That takes three bytes for one,
 * so the limit is applied to what comes out.
 */
export function bodyExcerpt(body: Uint8Array): string | null {
  if (body.length === 0) return null
  return cut(storable(asBuffer(body).toString('utf8')), responseBytesKept)
}

/**
 * Names and values of the answer as JSON, without what belongs to the receiver's own visitors. A header that does not
 * fit any more is left out; smaller ones after it may still be kept.
 */
export function headerExcerpt(headers: IncomingHttpHeaders): string {
  const kept = new Set<string>()
  let members = ''
  let bytes = '{}'.length
  for (const name of Object.keys(headers)) {
    if (kept.size === headersKept) break
    const value = headers[name]
    if (value === undefined || name === 'set-cookie') continue
    const key = storable(name.slice(0, headerNameCharactersMax))
    if (kept.has(key)) continue
    const text = storable((Array.isArray(value) ? value.join(', ') : value).slice(0, headerCharactersMax))
    const member = `${JSON.stringify(key)}:${JSON.stringify(text)}`
    const added = Buffer.byteLength(member) + ','.length
    if (bytes + added > responseBytesKept) continue
    bytes += added
    kept.add(key)
    members += members === '' ? member : `,${member}`
  }
  return `{${members}}`
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** As many whole characters as fit. */
function cut(text: string, bytesMax: number): string {
  // No character of a string takes more than three bytes. Nearly every response fits, and is not encoded to find out.
  if (text.length * 3 <= bytesMax) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax))
  return text.slice(0, read)
}

function storable(text: string): string {
  if (text.isWellFormed() && !text.includes('\u0000')) return text
  return text.toWellFormed().replaceAll('\u0000', '\uFFFD')
}
