import { randomBytes } from 'node:crypto'
import { hourMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import {
  countDoomedBlobs,
  doomLooseBlob,
  doomLooseBlobs,
  forgetLooseBlob,
  insertLooseBlob,
} from '../../store/media/blobs.ts'
import type { BlobAt } from './blob.ts'
import { blobStoreAt, placeOfNew } from './blob-store.ts'

/** Longer than any request or download may take. */
const writingMs = hourMs
const removalMs = 600_000
const batch = 100
const atOnce = 10

/**
 * Announces bytes before the first of them is written. Until a file claims them they count as loose: a crash at any
 * moment leaves nothing that the next round of `removeLooseBlobs` does not find.
 */
export async function announceBlob(rt: Runtime, accountId: string): Promise<BlobAt> {
  const blob = { blobId: randomBytes(16).toString('hex'), place: placeOfNew(rt) }
  await announceCopy(rt, accountId, blob)
  return blob
}

/** The same of bytes that exist elsewhere already. Rejects with `UniqueViolation` while older ones are removed there. */
export async function announceCopy(rt: Runtime, accountId: string, { blobId, place }: BlobAt): Promise<void> {
  const due_at = rt.clock.now() + writingMs
  await rt.store.write(unitOf(insertLooseBlob, { id: blobId, place, account_id: accountId, due_at }))
}

/** Removes bytes that nobody claimed, now. What cannot be removed now is removed by the next round. */
export async function discardBlob(rt: Runtime, { blobId, place }: BlobAt): Promise<void> {
  try {
    const unit = new Unit()
    const call = unit.add(doomLooseBlob, { id: blobId, place })
    const doomed = (await rt.store.write(unit)).first(call)
    if (doomed) await removeBytes(rt, { blobId, place })
  } catch (error) {
    rt.log.warn({ err: error }, 'media.bytes_not_removed')
  }
}

/** One round: everything that is due. Returns how many were removed; what is left is tried again ten minutes later. */
export async function removeLooseBlobs(rt: Runtime): Promise<number> {
  const now = rt.clock.now()
  const unit = new Unit()
  const call = unit.add(doomLooseBlobs, { now, again_at: now + removalMs, count: batch })
  const doomed = (await rt.store.write(unit)).rows(call)
  let removed = 0
  for (let first = 0; first < doomed.length; first += atOnce) {
    const round = doomed.slice(first, first + atOnce)
    const ends = await Promise.allSettled(round.map(async ({ id, place }) => removeBytes(rt, { blobId: id, place })))
    for (const end of ends) {
      if (end.status === 'fulfilled') removed++
      else rt.log.warn({ err: end.reason }, 'media.bytes_not_removed')
    }
    // A store that is away is not asked about every one of them.
    if (ends.every(({ status }) => status === 'rejected')) break
  }
  return removed
}

/** Bytes of an account that are to be removed and could not be yet. */
export async function countWaitingRemovals(rt: Runtime, accountId: string): Promise<number> {
  return (await rt.store.read(countDoomedBlobs, { account_id: accountId }))[0]?.count ?? 0
}

async function removeBytes(rt: Runtime, { blobId, place }: BlobAt): Promise<void> {
  await blobStoreAt(rt, place).remove(blobId)
  await rt.store.write(unitOf(forgetLooseBlob, { id: blobId, place }))
}
