import { authenticate } from '../accounts/auth.ts'
import { graphError, invalid, missing, unknownNode } from '../http/errors.ts'
import { type Call, headerOf, ok, type Reply, SUCCESS } from '../http/http.ts'
import { numericId } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { Media, PhoneNumber } from '../world.ts'
import { isUsable } from './codecs.ts'
import { ACCEPTED_MIME_TYPES, bareMime, bytesMaxOf, kindOfMime, UPLOAD_BYTES_MAX } from './media-kinds.ts'
import { mediaLink, readMediaLink } from './media-link.ts'
import { type Form, readMultipart, type UploadedFile } from './multipart.ts'

const UPLOAD_LIFE_MS = 30 * 24 * 3_600_000

/** `POST /{phone_number_id}/media` */
export async function uploadMedia(platform: Platform, call: Call, number: PhoneNumber): Promise<Reply> {
  const id = numericId()
  try {
    const form = await readMultipart(call.req, platform.media.partPath(id), UPLOAD_BYTES_MAX)
    call.params = { ...call.params, ...Object.fromEntries(form.fields), ...(form.file && { file: new Blob([]) }) }
    const { file, mimeType } = checkUpload(form, call.query)
    platform.media.keep(id)
    platform.world.media.set(id, {
      id,
      wabaId: number.wabaId,
      numberId: number.id,
      mimeType,
      filename: file.filename,
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      expiresAtMs: platform.clock.now() + UPLOAD_LIFE_MS,
      unusable: !isUsable(platform.media.path(id), mimeType),
    })
  } catch (error) {
    platform.media.remove(id)
    throw error
  }
  platform.changed()
  return ok({ id })
}

/** Parameters count alike in the form and in the query; public clients use both. */
function checkUpload({ fields, file }: Form, query: URLSearchParams): { file: UploadedFile; mimeType: string } {
  const given = (name: string) => fields.get(name) ?? query.get(name)
  if (given('messaging_product') !== 'whatsapp') {
    throw graphError(100, undefined, { message: '(#100) The parameter messaging_product is required.' })
  }
  if (file === null) throw missing('file')
  const mimeType = bareMime(given('type') ?? file.contentType ?? '')
  const kind = kindOfMime(mimeType)
  if (kind === null) {
    throw graphError(100, undefined, {
      message: `(#100) Param file must be a file with one of the following types: ${ACCEPTED_MIME_TYPES.join(', ')}. Received file of type '${mimeType}'.`,
    })
  }
  if (file.sizeBytes === 0) throw invalid('The file is empty')
  if (file.sizeBytes > bytesMaxOf(kind)) {
    throw graphError(
      131053,
      `A file of type ${mimeType} may have ${bytesMaxOf(kind)} bytes; this one has ${file.sizeBytes}.`,
    )
  }
  return { file, mimeType }
}

/** `GET /{media_id}`: not the bytes but an address for them. */
export function readMedia(platform: Platform, call: Call, media: Media): Reply {
  checkFilter(call, media)
  const host = call.req.headers.host
  return ok({
    messaging_product: 'whatsapp',
    url: mediaLink(platform, media.id, host ? `http://${host}` : undefined),
    mime_type: media.mimeType,
    sha256: media.sha256,
    // A number, though the example on Meta's page is a string: clients in typed languages refuse the string.
    file_size: media.sizeBytes,
    id: media.id,
  })
}

export function deleteMedia(platform: Platform, call: Call, media: Media): Reply {
  checkFilter(call, media)
  platform.world.media.delete(media.id)
  platform.media.remove(media.id)
  platform.changed()
  return SUCCESS
}

function checkFilter(call: Call, media: Media): void {
  const filter = call.query.get('phone_number_id')
  if (filter !== null && filter !== media.numberId) throw unknownNode(call.method, media.id)
}

/** The second hop: bytes for a request with a fresh address, the token, and a User-Agent. */
export function downloadMedia(platform: Platform, call: Call): Reply {
  const token = authenticate(platform, call)
  if (!headerOf(call.req, 'user-agent')) return { status: 403, body: '', headers: [] }
  const media = platform.world.media.get(readMediaLink(platform, call.query) ?? '')
  if (media === undefined || media.expiresAtMs <= platform.clock.now() || !token.wabaIds.includes(media.wabaId)) {
    return { status: 404, body: '', headers: [] }
  }
  const headers = ['Content-Type', media.mimeType, 'Content-Length', String(media.sizeBytes)]
  return { status: 200, body: platform.media.read(media.id), headers }
}
