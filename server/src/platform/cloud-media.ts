import { randomBytes } from 'node:crypto'
import type { ChatPlatform, MediaUpload, NumberCredentials } from './chat-platform.ts'
import { type FailureContext, unreadableAnswer } from './classify-failure.ts'
import { openMedia } from './cloud-media-download.ts'
import type { CloudCaller } from './cloud-request.ts'
import { numberOf, sha256HexOf, textOf } from './lenient-json.ts'
import { PlatformError } from './platform-error.ts'

type MediaCalls = Pick<ChatPlatform, 'uploadMedia' | 'mediaUrl' | 'downloadMedia' | 'deleteMedia'>

export function cloudMedia(caller: CloudCaller): MediaCalls {
  const mediaUrl: MediaCalls['mediaUrl'] = async (number, platformMediaId, options = {}) => {
    const context: FailureContext = { purpose: 'read', notFound: 'media_not_found' }
    const answer = await caller.call(number, {
      method: 'GET',
      ...mediaNode(number, platformMediaId),
      context,
      signal: options.signal,
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

    async uploadMedia(number, upload, options = {}) {
      const context: FailureContext = { purpose: 'write' }
      const answer = await caller.call(number, {
        method: 'POST',
        path: `/${encodeURIComponent(number.phoneNumberId)}/media`,
        file: multipart(upload),
        context,
        timeoutMs: caller.limits.transferMs,
        signal: options.signal,
      })
      const platformMediaId = textOf(answer.id)
      if (platformMediaId === null) throw unreadableAnswer(context)
      return { platformMediaId }
    },

    async downloadMedia(number, wanted, options = {}) {
      const check = { bytesMax: wanted.bytesMax, sha256: sha256HexOf(wanted.sha256) }
      if (wanted.url !== undefined) {
        try {
          return await openMedia(caller, number, wanted.url, check, options.signal)
        } catch (error) {
          if (!isExpired(error)) throw error
        }
      }
      const location = await mediaUrl(number, wanted.platformMediaId, options)
      const located = { ...check, sha256: check.sha256 ?? location.sha256 }
      const download = await openMedia(caller, number, location.url, located, options.signal)
      return { ...download, mimeType: location.mimeType ?? download.mimeType }
    },

    async deleteMedia(number, platformMediaId, options = {}) {
      await caller.command(number, {
        method: 'DELETE',
        ...mediaNode(number, platformMediaId),
        context: { purpose: 'write', notFound: 'media_not_found' },
        signal: options.signal,
      })
    },
  }
}

/** A url that came with a callback dies after 5 minutes, and a token may have been changed since. */
function isExpired(error: unknown): boolean {
  return error instanceof PlatformError && (error.code === 'media_not_found' || error.kind === 'auth')
}

function mediaNode(number: NumberCredentials, platformMediaId: string) {
  return { path: `/${encodeURIComponent(platformMediaId)}`, query: { phone_number_id: number.phoneNumberId } }
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
