import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type BlobStore, type BlobWriter, BytesMissing } from './blob.ts'

const readBytes = 256 * 1_024

/** Bytes in files: `<data>/media/<first two characters>/<id>`. Ids are chance, so nobody can guess a path. */
export function fileBlobs(dataDir: string): BlobStore {
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
      await stat(path).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new BytesMissing() : error
      })
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

/** Opened when the first piece is asked for: nobody closes what nobody reads. */
async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path, 'r')
  try {
    yield* piecesOf(handle)
  } finally {
    await handle.close()
  }
}

/** From the beginning of the file, also a second time. */
export async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(readBytes), 0, readBytes, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
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
