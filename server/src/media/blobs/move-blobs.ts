import type { Runtime } from '../../runtime.ts'
import { ConditionFailed, UniqueViolation } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import {
  blobsElsewhere,
  holdLooseBlob,
  insertLooseBlob,
  relocateBlob,
  settleLooseBlob,
} from '../../store/media/blobs.ts'
import { BytesMissing } from './blob.ts'
import { blobStoreAt } from './blob-store.ts'
import { announceCopy, discardBlob } from './loose-blobs.ts'

export type Moved = {
  /** The current place of these files. */
  to: string
  moved: number
  bytes: number
  /** Deleted meanwhile, or being removed there from before: not moved, and no error. */
  passed: number
  /** To go on after; null when every file was looked at. */
  next: string | null
}

const pageSize = 50

/**
 * Brings files to one place, a page at a time. A file is copied, then its row changes, then the old bytes go:
 * it can be read at any moment, and whatever ends this in the middle, the bytes that no row names are on the list of loose ones.
 */
export async function moveBlobs(rt: Runtime, { to, after }: { to: string; after: string }): Promise<Moved> {
  const rows = await rt.store.read(blobsElsewhere, { place: to, after, count: pageSize })
  const next = rows.length < pageSize ? null : (rows.at(-1)?.id ?? null)
  const result: Moved = { to, moved: 0, bytes: 0, passed: 0, next }
  for (const row of rows) {
    const isMoved = await moveBlob(rt, row, to)
    if (isMoved) result.bytes += row.size
    result[isMoved ? 'moved' : 'passed']++
  }
  return result
}

type Blob = { id: string; account_id: string; place: string; size: number; sha256: string }

async function moveBlob(
  rt: Runtime,
  { id: blobId, account_id, place: from, size, sha256 }: Blob,
  to: string,
): Promise<boolean> {
  const copy = { blobId, place: to }
  try {
    await announceCopy(rt, account_id, copy)
    const writer = await blobStoreAt(rt, to).create(blobId)
    try {
      // Last, because it may hold a connection until it is read to its end.
      const source = await blobStoreAt(rt, from).open(blobId, size)
      for await (const chunk of source) await writer.write(chunk)
      await writer.finish(sha256)
    } catch (error) {
      await writer.abandon().catch(() => {})
      throw error
    }
    const now = rt.clock.now()
    const unit = new Unit()
    unit.add(holdLooseBlob, { id: blobId, place: to, now })
    unit.add(relocateBlob, { id: blobId, from_place: from, to_place: to })
    unit.add(settleLooseBlob, { id: blobId, place: to })
    unit.add(insertLooseBlob, { id: blobId, place: from, account_id, due_at: now })
    await rt.store.write(unit)
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    await discardBlob(rt, copy)
    if (error instanceof ConditionFailed || error instanceof BytesMissing) return false
    throw error
  }
  await discardBlob(rt, { blobId, place: from })
  return true
}
