import type { Runtime } from '../runtime.ts'
import type { BlobStore } from './blob-store.ts'
import { chunkBlobs } from './chunk-blobs.ts'
import { fileBlobs } from './file-blobs.ts'

export function blobStoreOf(rt: Pick<Runtime, 'store' | 'config'>): BlobStore {
  return rt.store.shared ? chunkBlobs(rt.store) : fileBlobs(rt.config.dataDir)
}
