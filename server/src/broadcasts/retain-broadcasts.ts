import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, deleteBroadcast, findOldBroadcasts } from '../store/broadcasts/broadcasts.ts'
import { deleteGroups, deleteRecipients, deleteSkips } from '../store/broadcasts/recipients.ts'
import {
  deleteProblems,
  deleteUpload,
  dropUpload,
  dropUploads,
  findEndedWithRecipients,
  findLostUploads,
} from '../store/broadcasts/uploads.ts'
import { deleteInBatches } from '../store/engine/expire-before.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { unitOf } from '../store/engine/unit.ts'

const batch = 20

/**
 * Recipients with their values go as message contents do, after the end of their broadcast; a draft that nobody touched for
 * as long goes whole. Counts stay with the metadata. What uploads left behind that broke off goes at once.
 */
export async function retainBroadcasts(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const lost = await rt.store.read(findLostUploads, { now, count: batch })
  for (const upload of lost) {
    const { id, broadcast_id, first_group, last_group } = upload
    await rt.store.write(unitOf(dropUpload, { id, now }))
    await deleteInBatches(rt.store, (unit, count) =>
      unit.add(deleteRecipients, { broadcast_id, first_group, last_group, count }),
    )
    const unit = unitOf(deleteProblems, { upload_id: id })
    unit.add(deleteUpload, { id })
    await rt.store.writeApart(unit)
  }
  const contents = now - rt.config.retentionContentDays * dayMs
  const metadata = now - rt.config.retentionMetadataDays * dayMs
  for (const row of await rt.store.read(findOldBroadcasts, {
    before: metadata,
    draft_before: contents,
    count: batch,
  })) {
    await remove(rt, row)
  }
  const ended = await rt.store.read(findEndedWithRecipients, { before: contents, count: batch })
  for (const { broadcast_id } of ended) {
    // Whom it was for is not kept for longer than what was written to them.
    await rt.store.writeApart(unitOf(dropUploads, { broadcast_id, before_group: Number.MAX_SAFE_INTEGER }))
  }
  return lost.length === batch || ended.length === batch ? { againAt: now } : 'done'
}

async function remove(rt: Runtime, { id, account_id, revision }: BroadcastRow): Promise<void> {
  const unit = unitOf(deleteBroadcast, { id, account_id, revision })
  unit.add(deleteGroups, { broadcast_id: id })
  unit.add(deleteSkips, { broadcast_id: id })
  unit.add(dropUploads, { broadcast_id: id, before_group: Number.MAX_SAFE_INTEGER })
  await rt.store.writeApart(unit).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
  })
}
