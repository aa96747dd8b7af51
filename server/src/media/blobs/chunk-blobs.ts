import type { Store } from '../../store/engine/store.ts'
import { unitOf } from '../../store/engine/unit.ts'
import { deleteBlobChunks, insertBlobChunk, readBlobChunk } from '../../store/media/blobs.ts'
import { type BlobStore, type BlobWriter, BytesMissing } from './blob.ts'

/** Small enough to sit beside other writes in a batch, large enough for 100 MB in 400 rows. */
const chunkBytes = 256 * 1_024

/** Bytes as rows of PostgreSQL, one after another; at most one row is held in memory. */
export function chunkBlobs(store: Store): BlobStore {
  return {
    create: async (blobId) => chunkWriter(store, blobId),
    async open(blobId, size) {
      const first = await readChunk(store, blobId, 0)
      if (!first) throw new BytesMissing()
      return chunksFrom(store, blobId, first, size)
    },
    async remove(blobId) {
      await store.write(unitOf(deleteBlobChunks, { blob_id: blobId }))
    },
  }
}

function chunkWriter(store: Store, blobId: string): BlobWriter {
  const pending = Buffer.allocUnsafe(chunkBytes)
  let filled = 0
  let seq = 0
  const flush = async () => {
    await store.write(unitOf(insertBlobChunk, { blob_id: blobId, seq, bytes: pending.subarray(0, filled) }))
    seq++
    filled = 0
  }
  return {
    async write(chunk) {
      for (let offset = 0; offset < chunk.length; ) {
        const taken = Math.min(chunk.length - offset, chunkBytes - filled)
        pending.set(chunk.subarray(offset, offset + taken), filled)
        filled += taken
        offset += taken
        if (filled === chunkBytes) await flush()
      }
    },
    async finish() {
      if (filled > 0) await flush()
    },
    abandon: async () => {},
  }
}

/** A blob that is removed while it is read ends with an error: a file that is cut short looks like a whole one. */
async function* chunksFrom(store: Store, blobId: string, first: Uint8Array, bytes: number): AsyncGenerator<Uint8Array> {
  yield first
  for (let [seq, read] = [1, first.length]; read < bytes; seq++) {
    const chunk = await readChunk(store, blobId, seq)
    if (!chunk) throw new BytesMissing()
    yield chunk
    read += chunk.length
  }
}

async function readChunk(store: Store, blobId: string, seq: number): Promise<Uint8Array | undefined> {
  return (await store.read(readBlobChunk, { blob_id: blobId, seq }))[0]?.bytes
}
