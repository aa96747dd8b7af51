import type { Caller } from '../access/caller.ts'
import type { Runtime } from '../runtime.ts'
import { attachment, filenameOr } from './filename.ts'
import { openBytes } from './open-bytes.ts'
import { requireBytes, requireMedia } from './require-media.ts'
import { bareMime } from './types/media-kinds.ts'

/** `disposition` is the value of Content-Disposition. */
export async function openContent(rt: Runtime, caller: Pick<Caller, 'accountId' | 'scopes'>, mediaId: string) {
  const row = requireBytes(await requireMedia(rt, caller, mediaId))
  return {
    mimeType: harmlessType(row.mime_type),
    bytes: row.size,
    disposition: attachment(filenameOr(row.filename, row.mime_type)),
    content: await openBytes(rt, row),
  }
}

/** Types no browser runs. A customer may send anything, and the platform passes on what the customer calls it. */
const harmless =
  /^(image\/(jpeg|png|webp|gif)|(audio|video)\/[\w.+-]+|application\/(pdf|msword|vnd\.[\w.+-]+)|text\/plain)$/

function harmlessType(mimeType: string): string {
  const bare = bareMime(mimeType)
  return harmless.test(bare) ? bare : 'application/octet-stream'
}
