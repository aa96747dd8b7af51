import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Runtime } from '../runtime.ts'
import type { Store } from '../store/engine/store.ts'
import { unitOf } from '../store/engine/unit.ts'
import { deleteBlobChunks, findBlobSize, insertBlobChunk, readBlobChunk } from '../store/media/blobs.ts'

/**
 * Where bytes live: in files beside an SQLite database, in PostgreSQL itself otherwise, so that every node sees them
 * and one backup holds everything.
 */
type BlobStore = {
  create(blobId: string): Promise<BlobWriter>
  /** Rejects when there are no such bytes; gives them piece by piece otherwise. */
  open(blobId: string): Promise<AsyncIterable<Uint8Array>>
  /** Also what was written in part; removing nothing is fine. */
  remove(blobId: string): Promise<void>
}

export type BlobWriter = {
  /** Resolves when the bytes are taken; the caller then gives the next. */
  write(chunk: Uint8Array): Promise<void>
  /** Resolves when everything is on disk. */
  finish(): Promise<void>
  /** Lets go of what is open; what was written stays for `remove`. */
  abandon(): Promise<void>
}

export function blobStoreOf(rt: Pick<Runtime, 'store' | 'config'>): BlobStore {
  return rt.store.shared ? chunkBlobs(rt.store) : fileBlobs(rt.config.dataDir)
}

const readBytes = 256 * 1_024

/** Bytes in files: `<data>/media/<first two characters>/<id>`. Ids are chance, so nobody can guess a path. */
function fileBlobs(dataDir: string): BlobStore {
  const root = join(dataDir, 'media')
  const pathOf = (blobId: string) => join(root, blobId.slice(0, 2), blobId)
  return {
    async create(blobId) {
      const path = pathOf(blobId)
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if (made !== undefined) await syncFolder(dirname(made))
      return fileWriter(await open(partOf(path), 'wx', 0o600), path)
    },
    async open(blobId) {
      const path = pathOf(blobId)
      await stat(path)
      return readFile(path)
    },
    async remove(blobId) {
      const path = pathOf(blobId)
      await rm(partOf(path), { force: true })
      await rm(path, { force: true })
    },
  }
}

const partOf = (path: string): string => `${path}.part`

/** Written beside its place and renamed once it is on disk: a file with its final name is always whole. */
function fileWriter(handle: FileHandle, path: string): BlobWriter {
  return {
    // On a handle, writeFile goes on where the last one ended, and repeats short writes.
    write: (chunk) => handle.writeFile(chunk),
    async finish() {
      await handle.sync()
      await handle.close()
      await rename(partOf(path), path)
      await syncFolder(dirname(path))
    },
    abandon: () => handle.close(),
  }
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path, 'r')
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(readBytes), 0, readBytes)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** A new name survives a power cut only when its folder is on disk too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Small enough to sit beside other writes in a batch, large enough for 100 MB in 400 rows. */
const chunkBytes = 256 * 1_024

/** Bytes as rows of PostgreSQL, one after another; at most one row is held in memory. */
function chunkBlobs(store: Store): BlobStore {
  return {
    create: async (blobId) => chunkWriter(store, blobId),
    async open(blobId) {
      const [blob] = await store.read(findBlobSize, { id: blobId })
      const first = await readChunk(store, blobId, 0)
      if (!blob || !first) throw missing()
      return chunksFrom(store, blobId, first, blob.size)
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
    if (!chunk) throw missing()
    yield chunk
    read += chunk.length
  }
}

function missing(): Error {
  return new Error('The bytes of this blob are missing.')
}

async function readChunk(store: Store, blobId: string, seq: number): Promise<Uint8Array | undefined> {
  return (await store.read(readBlobChunk, { blob_id: blobId, seq }))[0]?.bytes
}
