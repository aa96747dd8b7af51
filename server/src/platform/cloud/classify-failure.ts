import { dayMs, hourMs, minuteMs, secondMs } from '../../lib/durations.ts'
import { aDayAtMost, httpDateMs, retryAfterMs } from '../../lib/retry-after.ts'
import { isRetryable, PlatformError, type PlatformErrorCode, type PlatformUpstream } from '../platform-error.ts'
import {
  authFailed,
  notProcessed,
  outcomeUnknown,
  permissionMissing,
  rejected,
  type Verdict,
  verdictOfCode,
  verdictOfTemplateSubcode,
} from './failure-table.ts'
import { type JsonObject, listOf, numberOf, objectOf, parseObject, textOf } from './lenient-json.ts'

/** The purpose of the failed request, which decides what a missing response means. */
export type FailureContext = {
  /** `send` posts a message, `write` changes something else, `read` changes nothing. */
  purpose: 'send' | 'write' | 'read'
  /** The call registers a number with its PIN. */
  registers?: true
  /** The code for "no such object" on this call. */
  notFound?: 'media_not_found' | 'template_not_found' | 'link_not_found'
  /** The message names its media by link, so a media failure is one of fetching. */
  mediaByLink?: boolean
  /** Texts that must not be passed on in what the platform said: the token, the recipient's number. */
  secrets?: readonly string[]
}

/**
 * An answer that is no success. The platform's own code decides; the HTTP status counts only where there is none,
 * because throttling comes as 400 and two permanent failures come as 500.
 */
export function classifyAnswer(
  answer: { status: number; headers: Headers; text: string },
  context: FailureContext,
): PlatformError {
  const body = parseObject(answer.text)
  const error = objectOf(body?.error)
  const verdict = forPurpose(verdictOfAnswer(answer.status, error, context), context)
  const upstream = upstreamOf(error, answer.headers, context.secrets ?? [])
  const waitMs = () => retryAfterMsOf(answer.headers) ?? waitInDetail(upstream) ?? verdict.retryAfterMs
  return new PlatformError({
    ...verdict,
    retryAfterMs: verdict.kind === 'throttled' ? waitMs() : undefined,
    upstream,
    answer: body && error ? { status: answer.status, body } : undefined,
  })
}

/** A success status whose body does not say what was done. */
export function unreadableAnswer(context: FailureContext): PlatformError {
  return new PlatformError(forPurpose(outcomeUnknown, context))
}

/** No complete answer: refused, reset, timed out. Only bytes on the wire can have had an effect. */
export function classifyTransport(failure: { written: boolean; cause: unknown }, context: FailureContext) {
  const verdict = failure.written ? outcomeUnknown : notProcessed
  return new PlatformError({ ...forPurpose(verdict, context), cause: failure.cause })
}

/** A failure the platform reports afterwards, in a callback. */
export type ReportedFailure = { code: PlatformErrorCode; retryable: boolean; upstream: PlatformUpstream }

/** Here the outcome is known: the message failed, so a fault of the platform invites a repeat. */
export function classifyReported(item: unknown): ReportedFailure {
  const error = objectOf(item)
  const platformCode = numberOf(error?.code)
  const verdict = (platformCode === null ? null : verdictOfCode(platformCode)) ?? rejected
  const code = verdict === outcomeUnknown ? notProcessed.code : verdict.code
  return { code, retryable: isRetryable(code), upstream: upstreamOf(error, {}, []) }
}

function verdictOfAnswer(status: number, error: JsonObject | null, context: FailureContext): Verdict {
  const code = numberOf(error?.code)
  if (code === null) return verdictOfStatus(status, context)
  const subcode = numberOf(error?.error_subcode)
  if (code === 100 && goneSubcodes.includes(subcode) && context.notFound) return { ...rejected, code: context.notFound }
  // Of a send the object is the number itself.
  if (code === 100 && subcode === 33 && context.purpose === 'send')
    return { ...authFailed, code: 'channel_number_gone' }
  // Meta's page says that no token came; users report it of missing permissions, with that word.
  if (code === 200 && /permission/i.test(textOf(error?.message) ?? '')) return permissionMissing
  if (code === 131031 && context.registers) return { ...rejected, code: 'channel_pin_rejected' }
  if (code === 131053 && context.mediaByLink) return { ...rejected, code: 'media_link_unreachable' }
  const byTemplateRule = code === 100 && subcode !== null ? verdictOfTemplateSubcode(subcode) : null
  // A code nobody has documented together with a server fault says nothing about what was done.
  return byTemplateRule ?? verdictOfCode(code) ?? (status >= 500 ? outcomeUnknown : rejected)
}

// 33 is said of every object that is not there, 2593002 of a template that is to be deleted.
const goneSubcodes: readonly (number | null)[] = [33, 2593002]

function verdictOfStatus(status: number, context: FailureContext): Verdict {
  // Meta names its throttles by code. A bare 429 is a proxy on the way, which passed nothing on.
  if (status === 429) return notProcessed
  if (status === 401 || status === 403) return authFailed
  if (status === 404 && context.notFound) return { ...rejected, code: context.notFound }
  // 408 is a proxy giving up between us and the platform.
  if (status < 300 || status === 408 || status >= 500) return outcomeUnknown
  return rejected
}

/** `send_outcome_unknown` warns of a second message; other calls can be repeated and only miss their answer. */
function forPurpose(verdict: Verdict, context: FailureContext): Verdict {
  if (verdict.outcome !== 'unknown' || context.purpose === 'send') return verdict
  return { ...notProcessed, outcome: context.purpose === 'read' ? 'not_sent' : 'unknown' }
}

function upstreamOf(error: JsonObject | null, headers: Headers, secrets: readonly string[]): PlatformUpstream {
  const data = error?.error_data
  const detail = textOf(objectOf(data)?.details) ?? textOf(data) ?? textOf(error?.error_user_msg)
  return {
    code: numberOf(error?.code),
    title: speakable(textOf(error?.title) ?? textOf(error?.message), secrets),
    detail: speakable(detail, secrets),
    trace_id: textOf(error?.fbtrace_id) ?? textOf(headers['x-fb-trace-id']),
  }
}

const speakableCharsMax = 500

/** The platform quotes malformed tokens and recipients; neither may travel on in error bodies and logs. */
function speakable(text: string | null, secrets: readonly string[]): string | null {
  if (text === null) return null
  let clean = text.replace(/EAA[A-Za-z0-9]{8,}/g, '[token]')
  for (const secret of secrets) if (secret.length >= 6) clean = clean.replaceAll(secret, '[hidden]')
  return clean.slice(0, speakableCharsMax).toWellFormed()
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * How long the platform asks us to stay away, from its usage header or a plain `Retry-After`; undefined if it does not. A
 * date is measured against the answer's own `Date`, so that our clock does not matter.
 */
function retryAfterMsOf(headers: Headers): number | undefined {
  const usage = fromUsage(single(headers['x-business-use-case-usage']))
  return usage ?? retryAfterMs(headers['retry-after'], httpDateMs(single(headers.date) ?? '')) ?? undefined
}

const unitsMs: Readonly<Record<string, number>> = { second: secondMs, minute: minuteMs, hour: hourMs, day: dayMs }

/** After wrong PINs the wait stands in the sentence alone: "Try again in 2 hours". */
function waitInDetail({ code, detail }: PlatformUpstream): number | undefined {
  if (code !== 133008 && code !== 133009) return undefined
  const [, count, unit = ''] = /(\d{1,6})\s*(second|minute|hour|day)s?\b/i.exec(detail ?? '') ?? []
  const ms = Number(count) * (unitsMs[unit.toLowerCase()] ?? 0)
  return ms > 0 ? aDayAtMost(ms) : undefined
}

/** `{"<business id>":[{"call_count":100,"estimated_time_to_regain_access":15}]}`, the last one in minutes. */
function fromUsage(header: string | undefined): number | undefined {
  const usage = header === undefined ? null : parseObject(header)
  if (!usage) return undefined
  const minutes = Object.values(usage)
    .flatMap(listOf)
    .map((entry) => numberOf(objectOf(entry)?.estimated_time_to_regain_access) ?? 0)
  const longest = Math.max(0, ...minutes)
  return longest > 0 ? aDayAtMost(longest * minuteMs) : undefined
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
