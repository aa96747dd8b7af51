import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import type { MediaDownload, NumberCredentials } from './chat-platform.ts'
import { classifyAnswer, classifyTransport, type FailureContext } from './classify-failure.ts'
import type { CloudCaller } from './cloud-request.ts'
import { rejected } from './failure-table.ts'
import { numberOf, textOf } from './lenient-json.ts'
import { PlatformError } from './platform-error.ts'

export type DownloadCheck = { bytesMax: number; sha256: string | null }

/** Opens the bytes behind a url of the platform; the size and the hash are checked while they are read. */
export async function openMedia(
  caller: CloudCaller,
  number: NumberCredentials,
  url: string,
  check: DownloadCheck,
  signal: AbortSignal | undefined,
): Promise<MediaDownload> {
  const context = { ...downloadContext, secrets: [number.accessToken] }
  const answer = await request(caller, number, trustedUrl(url, number), signal)
  if (answer.statusCode !== 200) throw await refusal(answer, context)
  const bytes = numberOf(answer.headers['content-length'])
  if (bytes !== null && bytes > check.bytesMax) {
    dispose(answer)
    throw tooLarge()
  }
  return { mimeType: textOf(answer.headers['content-type']), bytes, content: checked(answer.body, check) }
}

const downloadContext: FailureContext = { purpose: 'read', notFound: 'media_not_found' }

/** The token goes to the interface's own origin or over TLS to the host the platform named, and nowhere else. */
function trustedUrl(text: string, number: NumberCredentials): URL {
  const url = URL.parse(text)
  const trusted = url && (url.protocol === 'https:' || url.origin === new URL(number.baseUrl).origin)
  if (!trusted) throw new PlatformError(rejected)
  return url
}

async function request(
  caller: CloudCaller,
  number: NumberCredentials,
  url: URL,
  signal: AbortSignal | undefined,
): Promise<Dispatcher.ResponseData> {
  const deadline = AbortSignal.timeout(caller.limits.transferMs)
  try {
    return await caller.dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { authorization: `Bearer ${number.accessToken}`, 'user-agent': caller.limits.userAgent },
      headersTimeout: caller.limits.totalMs,
      bodyTimeout: caller.limits.totalMs,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    })
  } catch (error) {
    throw classifyTransport({ written: true, cause: error }, downloadContext)
  }
}

const refusalBytesMax = 65_536

async function refusal(answer: Dispatcher.ResponseData, context: FailureContext): Promise<PlatformError> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer.body) {
      bytes += chunk.length
      if (bytes > refusalBytesMax) break
      chunks.push(chunk)
    }
  } catch {
    // The status alone decides then.
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return classifyAnswer({ status: answer.statusCode, headers: answer.headers, text }, context)
}

async function* checked(body: Dispatcher.ResponseData['body'], check: DownloadCheck): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > check.bytesMax) throw tooLarge()
      if (check.sha256 !== null) hash.update(chunk)
      yield chunk
    }
  } catch (error) {
    if (error instanceof PlatformError) throw error
    throw classifyTransport({ written: true, cause: error }, downloadContext)
  }
  if (check.sha256 !== null && hash.digest('hex') !== check.sha256) {
    throw new PlatformError({ kind: 'rejected', outcome: 'refused', code: 'media_content_mismatch' })
  }
}

function tooLarge(): PlatformError {
  return new PlatformError({ kind: 'rejected', outcome: 'refused', code: 'media_too_large' })
}

function dispose(answer: Dispatcher.ResponseData): void {
  answer.body.on('error', () => {}).destroy()
}
