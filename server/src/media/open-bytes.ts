import type { Runtime } from '../runtime.ts'
import { blobStoreOf } from './choose-blob-store.ts'
import { requireKeptMedia, type StoredMedia } from './require-media.ts'

/** The bytes of a file. One that was deleted since its row was read is not found; that is no fault of ours. */
export async function openBytes(rt: Runtime, file: StoredMedia): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await blobStoreOf(rt).open(file.blob_id)
  } catch (error) {
    await requireKeptMedia(rt, file.account_id, file.id)
    throw error
  }
}
