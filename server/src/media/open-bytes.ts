import type { Runtime } from '../runtime.ts'
import { blobStoreOf } from './choose-blob-store.ts'
import { requireKeptMedia, type StoredMedia } from './require-media.ts'

/** The whole of a small file. */
export async function readBytes(rt: Runtime, file: StoredMedia): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await openBytes(rt, file)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The bytes of a file. One that was deleted since its row was read is not found; that is no fault of ours. */
export async function openBytes(rt: Runtime, file: StoredMedia): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await blobStoreOf(rt).open(file.blob_id)
  } catch (error) {
    await requireKeptMedia(rt, file.account_id, file.id)
    throw error
  }
}
