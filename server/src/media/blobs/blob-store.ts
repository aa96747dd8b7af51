import type { Runtime } from '../../runtime.ts'
import { findBlob } from '../../store/media/blobs.ts'
import { type BlobStore, BytesMissing, here, mediaStoreAway } from './blob.ts'
import { bucketBlobs } from './bucket-blobs.ts'
import { chunkBlobs } from './chunk-blobs.ts'
import { fileBlobs } from './file-blobs.ts'

type Tools = Pick<Runtime, 'store' | 'config' | 'bucket' | 'log'>

/** The store for new files. */
export function placeOfNew({ bucket }: Pick<Runtime, 'bucket'>): string {
  return bucket?.address ?? here
}

export function blobStoreAt(rt: Tools, place: string): BlobStore {
  const { bucket, config, log, store } = rt
  if (place === here) return store.shared ? chunkBlobs(store) : fileBlobs(config.dataDir)
  if (bucket?.address === place) return bucketBlobs(bucket, { log, folder: config.dataDir })
  log.error({ place }, 'media.store_not_configured')
  throw mediaStoreAway()
}

export async function openBlob(rt: Tools, blobId: string): Promise<AsyncIterable<Uint8Array>> {
  const [blob] = await rt.store.read(findBlob, { id: blobId })
  if (!blob) throw new BytesMissing()
  return blobStoreAt(rt, blob.place).open(blobId, blob.size)
}
