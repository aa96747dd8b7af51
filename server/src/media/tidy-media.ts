import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { deleteInBatches } from '../store/engine/expire-before.ts'
import { Unit } from '../store/engine/unit.ts'
import { blobBytesByKind } from '../store/media/blobs.ts'
import { dueMedia, expirePlatformUploads, forgetDeletedMedia } from '../store/media/media.ts'
import { removeLooseBlobs } from './blobs/loose-blobs.ts'
import { letGo } from './delete-media.ts'
import { kindBytesMax } from './types/media-kinds.ts'

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
