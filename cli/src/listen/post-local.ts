import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'

export type LocalErrorCode =
  | 'timeout'
  | 'connection_reset'
  | 'connection_refused'
  | 'dns_error'
  | 'tls_error'
  | 'protocol_error'

export type LocalAnswer = { durationMs: number } & (
  | { statusCode: number; headers: Record<string, string>; body: string }
  | { errorCode: LocalErrorCode; errorMessage: string }
)

type Parcel = { headers: Record<string, string>; body: string }
type Limits = { headersMs: number; bodyMs: number; signal: AbortSignal }

/** The limits of a real delivery. */
const limitsDefault = { headersMs: 10_000, bodyMs: 2_000 }
const bodyBytesKept = 4_096

/**
 * Posts a delivery as the gateway would: these headers and bytes and nothing else, no redirects, success at the status
 * line. Whatever the receiver does, it ends in time and with a value.
 */
export async function postLocal(
  url: URL,
  parcel: Parcel,
  limits: Partial<Limits> & { signal: AbortSignal },
): Promise<LocalAnswer> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  try {
    const response = await exchange(url, parcel, { ...limitsDefault, ...limits })
    // The status has decided; the body is for the log.
    const elapsed = durationMs()
    const body = await excerptOf(response, limits.bodyMs ?? limitsDefault.bodyMs)
    return { durationMs: elapsed, statusCode: response.statusCode ?? 0, headers: headersOf(response), body }
  } catch (error) {
    return { durationMs: durationMs(), ...explain(error, url) }
  }
}

function exchange(url: URL, { headers, body }: Parcel, { headersMs, signal }: Limits): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    const options = { method: 'POST', headers: { ...headers, 'content-length': bytes.length }, signal }
    // A connection of its own: one kept from before may be closing at the other end right now.
    const request = send(url, { ...options, agent: false })
    const timer = setTimeout(
      () => request.destroy(new TooSlow(`No response within ${headersMs / 1_000} s.`)),
      headersMs,
    )
    request.once('response', resolve)
    request.on('error', reject)
    request.once('close', () => clearTimeout(timer))
    request.once('response', () => clearTimeout(timer))
    request.end(bytes)
  })
}

const headersKept = 30
const headerCharactersMax = 256

/** What the gateway keeps of a real answer: cookies are for the visitors of the receiver. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name !== 'set-cookie')
  const texts = kept.map(([name, value]) => [name, [value].flat().join(', ').slice(0, headerCharactersMax)])
  return Object.fromEntries(texts.slice(0, headersKept)) as Record<string, string>
}

class TooSlow extends Error {
  readonly code = 'TIMEOUT'
}

async function excerptOf(response: IncomingMessage, bodyMs: number): Promise<string> {
  const chunks: Buffer[] = []
  const timer = setTimeout(() => response.destroy(), bodyMs)
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      if (chunks.reduce((sum, { length }) => sum + length, 0) >= bodyBytesKept) break
    }
  } catch {
    // Cut short: the response so far is enough.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
  // The gateway takes no U+0000 in any text.
  return Buffer.concat(chunks).subarray(0, bodyBytesKept).toString('utf8').replaceAll('\u0000', '\uFFFD')
}

const meanings: readonly [code: RegExp, errorCode: LocalErrorCode, sentence: (url: URL) => string][] = [
  [/^ECONNREFUSED$/, 'connection_refused', ({ host }) => `Nothing listens on ${host}: start your server there.`],
  [/^(ECONNRESET|EPIPE)$/, 'connection_reset', ({ host }) => `${host} closed the connection without a response.`],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'dns_error', ({ hostname }) => `The host ${hostname} does not exist.`],
  [/^(TIMEOUT|ETIMEDOUT)$/, 'timeout', ({ host }) => `${host} did not respond within 10 s.`],
  [/CERT|^ERR_(TLS|SSL)|^EPROTO$|SIGNATURE/, 'tls_error', ({ host }) => `${host} has no trusted certificate.`],
]

function explain(error: unknown, url: URL): { errorCode: LocalErrorCode; errorMessage: string } {
  const code = String((error as { code?: unknown }).code ?? '')
  const [, errorCode, sentence] = meanings.find(([pattern]) => pattern.test(code)) ?? []
  if (errorCode && sentence) return { errorCode, errorMessage: sentence(url) }
  return { errorCode: 'protocol_error', errorMessage: `${url.host} did not respond in HTTP.` }
}
