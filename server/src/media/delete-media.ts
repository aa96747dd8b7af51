import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { deleteInBatches } from '../store/engine/expire-before.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import { blobBytesByKind, dropUnusedBlob, loosenUnusedBlob, releaseBlob } from '../store/media/blobs.ts'
import {
  dropMedia,
  dueMedia,
  expirePlatformUploads,
  findMedia,
  forgetDeletedMedia,
  forgetPlatformUploads,
  type MediaRow,
  uncountUnusedBlob,
} from '../store/media/media.ts'
import { forgetFileNames } from '../store/messages/message-list.ts'
import { discardBlob, removeLooseBlobs } from './blobs/loose-blobs.ts'
import { requireKeptMedia } from './open-content.ts'
import { kindBytesMax } from './types/media-kinds.ts'

export async function deleteMedia(rt: Runtime, accountId: string, mediaId: string): Promise<void> {
  const { id } = await requireKeptMedia(rt, accountId, mediaId)
  await letGo(rt, accountId, id)
}

/** For erasure and retention of messages: every file that is still there; others are passed over. */
export async function eraseMedia(rt: Runtime, accountId: string, mediaIds: readonly string[]): Promise<number> {
  let erased = 0
  for (const id of mediaIds) if (await letGo(rt, accountId, id)) erased++
  return erased
}

const looksMax = 5

/** The file goes at once; its bytes go with it unless another file of the account has the same. False if it was gone. */
export async function letGo(rt: Runtime, accountId: string, mediaId: string): Promise<boolean> {
  for (let look = 1; ; look++) {
    const [row] = await rt.store.read(findMedia, { account_id: accountId, id: mediaId })
    if (!row || row.state === 'deleted') return false
    try {
      await drop(rt, row)
      return true
    } catch (error) {
      // It changed since it was read: another request deleted it, or its bytes have just come in.
      if (!(error instanceof ConditionFailed) || look === looksMax) throw error
    }
  }
}

async function drop(rt: Runtime, { id, account_id, blob_id }: MediaRow): Promise<void> {
  const unit = new Unit()
  unit.add(dropMedia, { id, blob_id })
  unit.add(forgetFileNames, { media_id: id })
  if (blob_id === null) {
    await rt.store.write(unit)
    return
  }
  unit.add(releaseBlob, { id: blob_id })
  const loosened = unit.add(loosenUnusedBlob, { id: blob_id, now: rt.clock.now() })
  unit.add(uncountUnusedBlob, { id: blob_id, account_id })
  unit.add(dropUnusedBlob, { id: blob_id })
  unit.add(forgetPlatformUploads, { blob_id })
  const loose = (await rt.store.write(unit)).first(loosened)
  if (loose) await discardBlob(rt, { blobId: loose.id, place: loose.place })
}

const tidyBatch = 100

/** Files past their time, bytes that belong to nothing, and traces nobody needs; a bounded number in one run. */
export async function tidyMedia(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const due = await rt.store.read(dueMedia, { now, count: tidyBatch })
  for (const { account_id, id } of due) await letGo(rt, account_id, id)
  const removed = await removeLooseBlobs(rt)
  await deleteInBatches(rt.store, (unit, count) => unit.add(expirePlatformUploads, { now, count }))
  const unit = new Unit()
  const call = unit.add(forgetDeletedMedia, { before: now - rt.config.retentionMetadataDays * dayMs, count: tidyBatch })
  const forgotten = (await rt.store.write(unit)).rows(call).length
  await measure(rt)
  return due.length + removed + forgotten > 0 ? { againAt: now } : 'done'
}

async function measure(rt: Runtime): Promise<void> {
  const rows = await rt.store.read(blobBytesByKind, {})
  for (const kind of Object.keys(kindBytesMax)) {
    rt.metrics.mediaBytesStored.set({ kind }, rows.find((row) => row.kind === kind)?.bytes ?? 0)
  }
}
