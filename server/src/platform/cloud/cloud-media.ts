import { randomBytes } from 'node:crypto'
import type { StreamOutcome, StreamRequest } from '../../lib/guarded-http/guarded-http-stream.ts'
import type { ChatPlatform, MediaUpload, NumberCredentials, WantedMedia } from '../chat-platform.ts'
import { PlatformError } from '../platform-error.ts'
import { classifyAnswer, classifyTransport, type FailureContext, unreadableAnswer } from './classify-failure.ts'
import { type CloudCaller, nodePath } from './cloud-request.ts'
import { rejected } from './failure-table.ts'
import { numberOf, sha256HexOf, textOf } from './lenient-json.ts'

type MediaCalls = Pick<ChatPlatform, 'uploadMedia' | 'mediaUrl' | 'downloadMedia' | 'deleteMedia'>

export function cloudMedia(caller: CloudCaller, access: MediaAccess): MediaCalls {
  const mediaUrl: MediaCalls['mediaUrl'] = async (number, platformMediaId) => {
    const context: FailureContext = { purpose: 'read', notFound: 'media_not_found' }
    const answer = await caller.call(number, {
      method: 'GET',
      ...mediaNode(number, platformMediaId),
      context,
    })
    const url = textOf(answer.url)
    if (url === null) throw unreadableAnswer(context)
    return {
      url,
      mimeType: textOf(answer.mime_type),
      sha256: sha256HexOf(answer.sha256),
      bytes: numberOf(answer.file_size),
    }
  }

  return {
    mediaUrl,

    async uploadMedia(number, upload) {
      const context: FailureContext = { purpose: 'write' }
      const answer = await caller.call(number, {
        method: 'POST',
        path: `/${encodeURIComponent(number.phoneNumberId)}/media`,
        file: multipart(upload),
        context,
        timeoutMs: caller.limits.transferMs,
      })
      const platformMediaId = textOf(answer.id)
      if (platformMediaId === null) throw unreadableAnswer(context)
      return { platformMediaId }
    },

    async downloadMedia(number, wanted) {
      const { url, ...facts } = await mediaUrl(number, wanted.platformMediaId)
      await downloadFrom({ caller, access }, number, url, wanted)
      return facts
    },

    async deleteMedia(number, platformMediaId) {
      await caller.command(number, {
        method: 'DELETE',
        ...mediaNode(number, platformMediaId),
        context: { purpose: 'write', notFound: 'media_not_found' },
      })
    },
  }
}

function mediaNode(number: NumberCredentials, platformMediaId: string) {
  return { path: nodePath(platformMediaId), query: { phone_number_id: number.phoneNumberId } }
}

/** `multipart/form-data` with a known length: the platform refuses chunked uploads of unknown size. */
function multipart({ content, bytes, mimeType, filename }: MediaUpload) {
  const boundary = `postern-${randomBytes(16).toString('hex')}`
  const field = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const head = Buffer.from(
    field('messaging_product', 'whatsapp') +
      field('type', mimeType) +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quotable(filename)}"\r\n` +
      `Content-Type: ${mimeType}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* parts() {
    yield head
    if (content instanceof Uint8Array) yield content
    else yield* content
    yield tail
  }
  return {
    content: parts(),
    bytes: head.length + bytes + tail.length,
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

/** As browsers write file names: quotes and line ends percent-encoded, everything else as it is. */
function quotable(filename: string): string {
  return filename.replace(/["\r\n]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

/** The hosts and the HTTP client for customers' files. */
export type MediaAccess = {
  /** Host names of the platform; one that begins with a dot stands for every name below it. */
  hosts: readonly string[]
  /** The guard of addresses: these hosts are public names, and stay so when they are resolved. */
  fetchStream(request: StreamRequest): Promise<StreamOutcome>
}

/** For mocks: what is not at the channel's own address is not fetched. */
export const ownOriginOnly: MediaAccess = {
  hosts: [],
  fetchStream: () => Promise.reject(new Error('There is no guard to fetch files through.')),
}

const context: FailureContext = { purpose: 'read', notFound: 'media_not_found' }

/**
 * Reads the bytes behind the address that the platform gave for a media id. The token goes over TLS to a media host of
 * the platform, or to the channel's own origin, and nowhere else: who can forge an answer still names no other host.
 */
export async function downloadFrom(
  { caller, access }: { caller: CloudCaller; access: MediaAccess },
  number: NumberCredentials,
  address: string,
  wanted: Omit<WantedMedia, 'platformMediaId'> & { anonymous?: boolean },
): Promise<void> {
  const url = URL.parse(address)
  const isOwn = url?.origin === new URL(number.baseUrl).origin
  if (!url || !(isOwn || isMediaHost(url, access.hosts))) throw foreignAddress(url)
  const failures: unknown[] = []
  const request: StreamRequest = {
    url: url.href,
    headers: {
      ...(!wanted.anonymous && { authorization: `Bearer ${number.accessToken}` }),
      'user-agent': caller.limits.userAgent,
    },
    bytesMax: wanted.bytesMax,
    timeouts: { headersMs: caller.limits.totalMs, totalMs: caller.limits.transferMs },
    permits: (hop) => isOwn || isMediaHost(hop, access.hosts),
    async write(chunk) {
      try {
        await wanted.write(chunk)
      } catch (error) {
        failures.push(error)
        throw error
      }
    },
  }
  const outcome = await (isOwn ? caller.fetchStream(number, request) : access.fetchStream(request))
  if (failures.length > 0) throw failures[0]
  requireBytes(outcome)
}

function isMediaHost({ protocol, hostname, port }: URL, hosts: readonly string[]): boolean {
  const listed = hosts.some((host) => (host.startsWith('.') ? hostname.endsWith(host) : hostname === host))
  return protocol === 'https:' && port === '' && listed
}

function requireBytes(outcome: StreamOutcome): void {
  if (outcome.kind === 'response') {
    const { statusCode: status, headers } = outcome
    if (status !== 200) throw classifyAnswer({ status, headers, text: '' }, context)
    return
  }
  if (outcome.code === 'too_large') {
    throw new PlatformError({ kind: 'rejected', outcome: 'refused', code: 'media_too_large' })
  }
  const cause = new Error(`${outcome.code}: ${outcome.message}`)
  if (outcome.code === 'blocked_address') throw new PlatformError({ ...rejected, cause })
  throw classifyTransport({ written: true, cause }, context)
}

/** The path may hold a signature, so only the host is told. */
function foreignAddress(url: URL | null): PlatformError {
  const host = url?.host || 'no host'
  const cause = new Error(`Meta named ${host} for a file, which is not listed in POSTERN_CHANNEL_MEDIA_HOSTS.`)
  return new PlatformError({ ...rejected, cause })
}
