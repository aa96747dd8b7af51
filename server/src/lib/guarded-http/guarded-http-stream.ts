import type { IncomingHttpHeaders } from 'node:http'
import { type BodyReader, type Flow, type Outlet, targetOf } from './guarded-http-exchange.ts'
import { BLOCKED, ExchangeError, type FailureCode } from './guarded-http-failure.ts'

export type StreamRequest = {
  url: string
  /** Sent to the origin of `url` only, not to where it redirects. */
  headers?: Record<string, string>
  bytesMax: number
  /** An http address is as good as an https one, here and where it redirects; the guard of addresses holds for both. */
  allowHttp?: boolean
  /** Narrows what the guard permits, for the first address and for every redirect. */
  permits?(url: URL): boolean
  timeouts?: { headersMs?: number; totalMs?: number }
  /** Called with the body of a 2xx answer and its headers, each chunk after the one before was dealt with. */
  write(chunk: Buffer, headers: IncomingHttpHeaders): void | Promise<void>
}

type StreamFailureCode = FailureCode | 'too_large' | 'too_many_redirects'

export type StreamOutcome =
  | {
      kind: 'response'
      statusCode: number
      headers: IncomingHttpHeaders
      /** Bytes given to `write`; 0 unless the status is 2xx. */
      bytes: number
      remoteIp: string
      durationMs: number
    }
  | { kind: 'failure'; code: StreamFailureCode; message: string; durationMs: number }

const REDIRECTS_MAX = 3
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/** GET of a body of unknown size, with every redirect checked like the first address. */
export async function fetchStream(outlet: Outlet, request: StreamRequest): Promise<StreamOutcome> {
  const startedAt = performance.now()
  const deadline = startedAt + (request.timeouts?.totalMs ?? 60_000)
  const finish = (end: HopEnd): StreamOutcome => {
    return { ...end, durationMs: Math.round(performance.now() - startedAt) }
  }
  let target = request.url
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const end = await fetchHop(outlet, request, target, deadline)
    if (!('redirect' in end)) return finish(end)
    target = end.redirect
  }
  const message = `The link redirects more than ${REDIRECTS_MAX} times.`
  return finish({ kind: 'failure', code: 'too_many_redirects', message })
}

type WithoutDuration<T> = T extends unknown ? Omit<T, 'durationMs'> : never
type HopEnd = WithoutDuration<StreamOutcome>

async function fetchHop(
  outlet: Outlet,
  request: StreamRequest,
  target: string,
  deadline: number,
): Promise<HopEnd | { redirect: string }> {
  const url = outlet.permitted(target, { allowHttp: request.allowHttp ?? false })
  if (!url || request.permits?.(url) === false) return { kind: 'failure', ...BLOCKED }
  const reader = streamReader(request.bytesMax, request.write)
  const headers = url.origin === URL.parse(request.url)?.origin ? (request.headers ?? {}) : {}
  const totalMs = Math.max(0, deadline - performance.now())
  const limits = { headersMs: request.timeouts?.headersMs ?? 10_000, totalMs, bodyMs: totalMs }
  const result = await outlet.exchange({ method: 'GET', target: targetOf(url), headers, ...limits }, reader)
  // A write may still be under way when the exchange fails; the caller must be free to remove what it wrote.
  await reader.end().catch(() => {})
  if (result.kind === 'failure') return { kind: 'failure', ...result.failure }
  if (reader.tooLarge()) {
    return { kind: 'failure', code: 'too_large', message: `The body is larger than ${request.bytesMax} bytes.` }
  }
  const { statusCode, headers: received, remoteIp } = result
  const location = REDIRECT_STATUSES.has(statusCode) ? received.location : undefined
  // A Location that is no URL stays as it is and is refused by the next hop's check.
  if (location !== undefined) return { redirect: URL.parse(location, url.href)?.href ?? location }
  return { kind: 'response', statusCode, headers: received, bytes: reader.bytes(), remoteIp }
}

/** Beyond this much body a connection is not worth keeping. */
const EXCERPT_READ_BYTES_MAX = 65_536

/** Reads a little of the body for the log; the answer stands whatever happens to the rest. */
export function excerptReader(keptBytesMax: number): BodyReader & { excerpt(): Buffer } {
  const kept: Buffer[] = []
  let keptBytes = 0
  let readBytes = 0
  return {
    bodyMatters: false,
    head: () => {},
    data(chunk, flow) {
      const room = keptBytesMax - keptBytes
      // Copied: a slice would hold on to the whole chunk.
      if (room > 0) kept.push(Buffer.from(chunk.subarray(0, room)))
      keptBytes += Math.min(room, chunk.length)
      readBytes += chunk.length
      if (readBytes > EXCERPT_READ_BYTES_MAX) flow.enough()
    },
    end: () => null,
    excerpt: () => (kept.length === 1 && kept[0] ? kept[0] : Buffer.concat(kept)),
  }
}

type StreamReader = Omit<BodyReader, 'end'> & { end(): Promise<void>; bytes(): number; tooLarge(): boolean }

/** Hands the body of a 2xx answer to `write`, one chunk at a time, up to `bytesMax`. */
function streamReader(
  bytesMax: number,
  write: (chunk: Buffer, headers: IncomingHttpHeaders) => void | Promise<void>,
): StreamReader {
  let received: IncomingHttpHeaders = {}
  let bytes = 0
  let tooLarge = false
  let written = Promise.resolve()
  const overflow = (flow: Flow) => {
    tooLarge = true
    flow.enough()
  }
  return {
    bodyMatters: true,
    head(statusCode, headers, flow) {
      received = headers
      if (statusCode > 299) flow.enough()
      else if (Number(headers['content-length'] ?? 0) > bytesMax) overflow(flow)
    },
    data(chunk, flow) {
      // undici hands over an empty chunk after each resume; pausing for it would go round for ever.
      if (chunk.length === 0) return
      if (bytes + chunk.length > bytesMax) return overflow(flow)
      bytes += chunk.length
      flow.pause()
      written = written.then(() => write(chunk, received)).then(() => flow.resume())
      written.catch(() => flow.fail(new ExchangeError('our_fault', 'The body could not be stored.')))
    },
    end: () => written,
    bytes: () => bytes,
    tooLarge: () => tooLarge,
  }
}
