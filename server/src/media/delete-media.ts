import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import { dropUnusedBlob, loosenUnusedBlob, releaseBlob } from '../store/media/blobs.ts'
import { dropMedia, findMedia, forgetPlatformUploads, type MediaRow, uncountUnusedBlob } from '../store/media/media.ts'
import { forgetFileNames } from '../store/messages/message-files.ts'
import { discardBlob } from './blobs/loose-blobs.ts'
import { requireKeptMedia } from './require-media.ts'

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
