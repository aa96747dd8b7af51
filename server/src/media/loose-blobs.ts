import { randomBytes } from 'node:crypto'
import { hourMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { doomLooseBlob, doomLooseBlobs, forgetLooseBlob, insertLooseBlob } from '../store/media/blobs.ts'
import { blobStoreOf } from './blob-store.ts'

/** Longer than any request or download may take. */
const writingMs = hourMs
const removalMs = 600_000
const batch = 100

/**
 * Announces bytes before the first of them is written. Until a file claims them they count as loose: a crash at any
 * moment leaves nothing that the next round of `removeLooseBlobs` does not find.
 */
export async function announceBlob(rt: Runtime, accountId: string): Promise<string> {
  const id = randomBytes(16).toString('hex')
  await rt.store.write(unitOf(insertLooseBlob, { id, account_id: accountId, due_at: rt.clock.now() + writingMs }))
  return id
}

/** Removes bytes that nobody claimed, now. What cannot be removed now is removed by the next round. */
export async function discardBlob(rt: Runtime, blobId: string): Promise<void> {
  try {
    const unit = new Unit()
    const call = unit.add(doomLooseBlob, { id: blobId })
    const doomed = (await rt.store.write(unit)).first(call)
    if (doomed) await removeBytes(rt, blobId)
  } catch (error) {
    rt.log.warn({ err: error }, 'media.bytes_not_removed')
  }
}

/** One round: everything that is due. Returns how many were removed. */
export async function removeLooseBlobs(rt: Runtime): Promise<number> {
  const now = rt.clock.now()
  const unit = new Unit()
  const call = unit.add(doomLooseBlobs, { now, again_at: now + removalMs, count: batch })
  const doomed = (await rt.store.write(unit)).rows(call)
  for (const { id } of doomed) await removeBytes(rt, id)
  return doomed.length
}

async function removeBytes(rt: Runtime, blobId: string): Promise<void> {
  await blobStoreOf(rt).remove(blobId)
  await rt.store.write(unitOf(forgetLooseBlob, { id: blobId }))
}
