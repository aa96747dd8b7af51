import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { S3Bucket } from '../../lib/s3/s3-bucket.ts'
import { S3Failure } from '../../lib/s3/s3-failure.ts'
import type { Log } from '../../observe/log.ts'
import { type BlobStore, type BlobWriter, BytesMissing, mediaStoreAway } from './blob.ts'
import { piecesOf } from './file-blobs.ts'

type Options = { log: Log; folder: string }

/** Bytes as objects of a bucket: `<prefix>/<first two characters>/<id>`. */
export function bucketBlobs(bucket: S3Bucket, { log, folder }: Options): BlobStore {
  const called = <T>(operation: string, work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (!(error instanceof S3Failure)) throw error
      if (error.isMissing) throw new BytesMissing()
      const { status, code, region } = error
      log.error({ operation, status, code, region, reason: error.message }, 'media.store_failed')
      throw mediaStoreAway(error)
    })
  return {
    create: async (blobId) =>
      bucketWriter(await openNameless(folder), (object) => called('put', bucket.put(keyOf(blobId), object))),
    async open(blobId, size) {
      const { content } = await called('get', bucket.get(keyOf(blobId)))
      return whole(content, size)
    },
    remove: (blobId) => called('delete', bucket.delete(keyOf(blobId))),
  }
}

/** An object that others wrote over ends with an error: a file that is cut short looks like a whole one. */
async function* whole(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const chunk of content) {
    read += chunk.length
    if (read > size) throw new BytesMissing()
    yield chunk
  }
  if (read < size) throw new BytesMissing()
}

export function keyOf(blobId: string): string {
  return `${blobId.slice(0, 2)}/${blobId}`
}

/**
 * A store wants to know length and hash before the first byte, and clients send bytes of unknown length. They are spooled to
 * a file of the data folder, so any attempt can be repeated, and an interrupted one leaves no object.
 */
function bucketWriter(file: FileHandle, put: (object: Parameters<S3Bucket['put']>[1]) => Promise<unknown>): BlobWriter {
  let bytes = 0
  return {
    async write(chunk) {
      await file.writeFile(chunk)
      bytes += chunk.length
    },
    async finish(sha256) {
      await put({ bytes, sha256, read: () => piecesOf(file) })
      await file.close()
    },
    abandon: () => file.close(),
  }
}

/** It has lost its name before the first byte is in it: whatever ends the process, the system takes it away. */
async function openNameless(folder: string): Promise<FileHandle> {
  const path = join(folder, `upload-${randomUUID()}.part`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path, { force: true })
  return file
}
