import { authenticate } from '../accounts/auth.ts'
import { invalid, missing, unknownNode } from '../http/errors.ts'
import { type Call, ok, type Reply } from '../http/http.ts'
import { text } from '../http/json.ts'
import { drawText } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { App } from '../world.ts'

const TYPES = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']
const SESSIONS_MAX = 1000

const IMAGES_MAX = 20
const IMAGE_BYTES_MAX = 5 * 1024 * 1024

/** Step 1, `POST /{app_id}/uploads`. Of what follows only images are kept: one may become the photo of a profile. */
export function openUpload(platform: Platform, call: Call, _app: App): Reply {
  const type = text(call.params.file_type)
  const lengthBytes = Number(call.params.file_length)
  if (type === undefined) throw missing('file_type')
  if (!TYPES.includes(type)) throw invalid(`Parameter 'file_type' must be one of ${TYPES.join(', ')}`)
  if (!(lengthBytes > 0)) throw missing('file_length')
  const id = `upload:${drawText(40)}`
  if (platform.uploads.size >= SESSIONS_MAX) platform.uploads.clear()
  platform.uploads.set(id, { lengthBytes, receivedBytes: 0, type, image: [] })
  return ok({ id })
}

/** Steps 2 and 3, `POST` and `GET /upload:<opaque>`. */
export async function continueUpload(platform: Platform, call: Call): Promise<Reply> {
  authenticate(platform, call)
  const id = decodeURIComponent(call.path[0] ?? '')
  const session = platform.uploads.get(id)
  if (session === undefined) throw unknownNode(call.method, id)
  if (call.method === 'GET') return ok({ id, file_offset: session.receivedBytes })
  const offset = Number(call.req.headers.file_offset ?? 0)
  if (offset !== session.receivedBytes) throw invalid(`file_offset must be ${session.receivedBytes}`)
  for await (const chunk of call.req) {
    session.receivedBytes += (chunk as Buffer).length
    if (keepsImage(session)) session.image.push(chunk as Buffer)
  }
  if (session.receivedBytes < session.lengthBytes) return ok({ id, file_offset: session.receivedBytes })
  const handle = `4::${Buffer.from(session.type).toString('base64url')}:${drawText(60)}`
  if (keepsImage(session)) keepImage(platform, handle, { bytes: Buffer.concat(session.image), type: session.type })
  return ok({ h: handle })
}

/** The image behind a handle, as a profile takes it: JPEG or PNG, at most 5 MB. */
export function imageBehind(platform: Platform, handle: string): { bytes: Buffer; type: string } {
  const image = platform.images.get(handle)
  if (image === undefined) throw invalid('Param profile_picture_handle is not the handle of an uploaded JPEG or PNG')
  return image
}

function keepsImage({ type, receivedBytes }: { type: string; receivedBytes: number }): boolean {
  return type.startsWith('image/') && receivedBytes <= IMAGE_BYTES_MAX
}

/** Only the newest: each can have 5 MB. */
function keepImage({ images }: Platform, handle: string, image: { bytes: Buffer; type: string }): void {
  const [oldest] = images.keys()
  if (images.size >= IMAGES_MAX && oldest !== undefined) images.delete(oldest)
  images.set(handle, image)
}
