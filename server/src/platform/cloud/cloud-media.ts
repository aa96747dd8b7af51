import { randomBytes } from 'node:crypto'
import type { ChatPlatform, MediaUpload, NumberCredentials } from '../chat-platform.ts'
import { type FailureContext, unreadableAnswer } from './classify-failure.ts'
import { downloadFrom, type MediaAccess } from './cloud-media-download.ts'
import { type CloudCaller, nodePath } from './cloud-request.ts'
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
