import { createHash } from 'node:crypto'
import { BytesMissing } from '@postern/server/media/blobs/blob.ts'
import { fileBlobs } from '@postern/server/media/blobs/file-blobs.ts'
import { blobsToCopy, type CopiedBlob, putBlob, type Shelf, shelvesOf } from '@postern/server/store/copy-blobs.ts'
import { type Copy, CopyDiffers } from '@postern/server/store/copy-data.ts'
import type { Progress } from '../output/progress.ts'

export type CopiedFiles = {
  files: number
  bytes: number
  /** Ids of those whose bytes the source does not have either, or damaged. */
  missing: string[]
}

type Shelves = { from: Shelf; to: Shelf }

/** From files of the data folder to rows of PostgreSQL, or back. What is in a bucket stays there. */
export async function copyFiles(copy: Copy, dataDir: string, progress: Progress): Promise<CopiedFiles> {
  const shelves = shelvesOf(copy, folderShelf(dataDir))
  progress.step('Copying files')
  for await (const blob of blobsToCopy(copy, 'missing')) await copyFile(copy, blob, shelves)
  progress.step('Comparing files')
  const result: CopiedFiles = { files: 0, bytes: 0, missing: [] }
  for await (const blob of blobsToCopy(copy, 'all')) {
    if (await isWhole(shelves.to, blob)) {
      result.files++
      result.bytes += blob.size
    } else {
      if (await isWhole(shelves.from, blob)) throw new CopyDiffers('blob files')
      result.missing.push(blob.id)
    }
    progress.advance(blob.size)
  }
  return result

  async function copyFile(into: Copy, blob: CopiedBlob, { from, to }: Shelves): Promise<void> {
    // Bytes that nobody can read any more are no reason to keep the others.
    const readable = await isWhole(from, blob)
    await putBlob(into, blob.id, async () => {
      if (readable) await to.put(blob.id, progress.counted(await from.open(blob.id, blob.size)))
    })
  }
}

async function isWhole(shelf: Shelf, { id, size, sha256 }: CopiedBlob): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    for await (const piece of await shelf.open(id, size)) hash.update(piece)
  } catch (error) {
    if (error instanceof BytesMissing) return false
    throw error
  }
  return hash.digest('hex') === sha256
}

function folderShelf(dataDir: string): Shelf {
  const blobs = fileBlobs(dataDir)
  return {
    open: (id, size) => blobs.open(id, size),
    async put(id, pieces) {
      // What a copy that was cut short left of it.
      await blobs.remove(id)
      const writer = await blobs.create(id)
      for await (const piece of pieces) await writer.write(piece)
      await writer.finish('')
    },
  }
}
