import { createHash } from 'node:crypto'
import { feedEpochName } from '../events/read-feed.ts'
import { steadyClock } from '../lib/clock.ts'
import { createIds } from '../lib/ids.ts'
import { BytesMissing } from '../media/blobs/blob.ts'
import { fileBlobs } from '../media/blobs/file-blobs.ts'
import { waitingEpochName } from '../messages/waiting/hold-waiting.ts'
import { blobsToCopy, type CopiedBlob, putBlob, type Shelf, shelvesOf } from '../store/copy-blobs.ts'
import { type Copy, CopyDiffers, openCopy as open } from '../store/copy-data.ts'
import type { Database } from '../store/engine/database.ts'
import { factsOf } from '../store/open-store.ts'

/** From one database to another: every row and every file, compared at the end. */
export { type Copy, CopyDiffers } from '../store/copy-data.ts'

/** How far the copy is, for people. */
type Progress = {
  step(what: string, options?: { total: number; unit: 'rows' }): void
  advance(by: number): void
  counted(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}
type Order = { dataDir: string; target: Database; progress: Progress }

export type Copied = { resumed: boolean; rows: Record<string, number>; files: CopiedFiles }

type CopiedFiles = {
  files: number
  bytes: number
  /** Ids of those whose bytes the source does not have either, or damaged. */
  missing: string[]
}

export function openCopy(source: Database, target: Database, { restart }: { restart: boolean }): Promise<Copy> {
  return open(source, target, { now: steadyClock().now(), restart })
}

export async function copyAll(copy: Copy, { dataDir, target, progress }: Order): Promise<Copied> {
  const resumed = await copy.begin()
  const { total, done } = await copy.progress()
  progress.step(resumed ? 'Continuing the copy' : 'Copying tables', { total, unit: 'rows' })
  progress.advance(done)
  await copy.copyTables((rows) => progress.advance(rows))
  const files = await copyFiles(copy, dataDir, progress)
  progress.step('Comparing tables', { total: 2 * total, unit: 'rows' })
  const rows = await copy.compareTables((count) => progress.advance(count))
  // Positions of the feed are counted differently on PostgreSQL: its cursors have no meaning on SQLite.
  const newFeed = !factsOf(target).shared ? { [feedEpochName]: newFeedEpoch() } : {}
  // No start ever noted this: the next one holds what waits, because it may have been sent from the other database.
  await copy.finish({ ...newFeed, [waitingEpochName]: 'copied' })
  return { resumed, rows, files }
}

/** A name that no database had before: cursors of the feed from before it are rejected. */
export function newFeedEpoch(): string {
  return createIds(steadyClock())('fep')
}

type Shelves = { from: Shelf; to: Shelf }

/** From files of the data folder to rows of PostgreSQL, or back. What is in a bucket stays there. */
async function copyFiles(copy: Copy, dataDir: string, progress: Progress): Promise<CopiedFiles> {
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
