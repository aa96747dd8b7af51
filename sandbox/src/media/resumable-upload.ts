import { authenticate } from '../accounts/auth.ts'
import { invalid, missing, unknownNode } from '../http/errors.ts'
import { type Call, ok, type Reply } from '../http/http.ts'
import { text } from '../http/json.ts'
import { drawText } from '../ids.ts'
import type { Platform } from '../platform.ts'
import type { App } from '../world.ts'

const TYPES = ['application/pdf', 'image/jpeg', 'image/jpg', 'image/png', 'video/mp4']
const SESSIONS_MAX = 1000

/** Step 1, `POST /{app_id}/uploads`. Only the length of what follows is kept: nobody ever asks for these bytes again. */
export function openUpload(platform: Platform, call: Call, _app: App): Reply {
  const type = text(call.params.file_type)
  const lengthBytes = Number(call.params.file_length)
  if (type === undefined) throw missing('file_type')
  if (!TYPES.includes(type)) throw invalid(`Parameter 'file_type' must be one of ${TYPES.join(', ')}`)
  if (!(lengthBytes > 0)) throw missing('file_length')
  const id = `upload:${drawText(40)}`
  if (platform.uploads.size >= SESSIONS_MAX) platform.uploads.clear()
  platform.uploads.set(id, { lengthBytes, receivedBytes: 0, type })
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
  for await (const chunk of call.req) session.receivedBytes += (chunk as Buffer).length
  if (session.receivedBytes < session.lengthBytes) return ok({ id, file_offset: session.receivedBytes })
  return ok({ h: `4::${Buffer.from(session.type).toString('base64url')}:${drawText(60)}` })
}
