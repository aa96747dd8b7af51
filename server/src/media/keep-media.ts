import { AppError } from '../contract/app-error.ts'
import { type Plan, plans } from '../contract/plans.ts'
import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../store/engine/unit.ts'
import { holdLooseBlob, keepBlob, settleLooseBlob } from '../store/media/blobs.ts'
import { countBlob, findMediaUsage, insertMedia, type MediaRow, requireMediaRoom } from '../store/media/media.ts'
import { discardBlob } from './blobs/loose-blobs.ts'
import type { Staged } from './intake.ts'

/** As long as the platform keeps an upload. */
export const uploadDays = 30

export type NewFile = { filename: string | null; linkHash?: string }

/**
 * Makes a file of staged bytes. `also` adds to the unit what must happen with it or not at all; the
 * blob is not known yet then.
 */
export async function keepMedia(
  rt: Runtime,
  staged: Staged,
  { filename, linkHash }: NewFile,
  also: (unit: Unit, row: MediaRow) => void = () => {},
): Promise<MediaRow> {
  const now = rt.clock.now()
  const { accountId, kind, mimeType, size, sha256 } = staged
  const input = {
    id: rt.newId('med'),
    account_id: accountId,
    direction: 'outbound',
    kind,
    mime_type: mimeType,
    filename,
    size,
    sha256,
    state: 'ready',
    created_at: now,
    expires_at: now + Math.min(uploadDays, rt.config.retentionContentDays) * dayMs,
    number_id: null,
    platform_media_id: null,
  }
  const unit = new Unit()
  also(unit, { ...input, blob_id: null })
  claimBlob(unit, staged, now)
  const bytesMax = await mediaBytesMax(rt, accountId)
  if (bytesMax !== null) unit.add(requireMediaRoom, { id: staged.blobId, account_id: accountId, bytes_max: bytesMax })
  const call = unit.add(insertMedia, { ...input, link_hash: linkHash ?? null })
  try {
    const stored = (await writeClaim(rt, unit, staged)).first(call)
    return { ...input, blob_id: stored?.blob_id ?? null }
  } catch (error) {
    const isFull = error instanceof ConditionFailed && error.operation === requireMediaRoom.name
    throw isFull ? noMediaRoom(bytesMax ?? 0) : error
  }
}

/** The staged bytes become a blob, or a reference to the blob that has the same bytes already. */
export function claimBlob(unit: Unit, { blobId, place, accountId, sha256, size, kind }: Staged, now: number): void {
  unit.add(holdLooseBlob, { id: blobId, place, now })
  unit.add(keepBlob, { id: blobId, place, account_id: accountId, sha256, size, kind, now })
  unit.add(countBlob, { id: blobId, account_id: accountId })
  unit.add(settleLooseBlob, { id: blobId, place })
}

/** Commits a unit with a claim; bytes that the account had already, and those of a failed unit, are removed. */
export async function writeClaim(rt: Runtime, unit: Unit, staged: Staged): Promise<UnitResult> {
  try {
    return await rt.store.write(unit)
  } finally {
    // Does nothing when the bytes became a blob: they are not loose any more.
    await discardBlob(rt, staged)
  }
}

const gibibyte = 1_073_741_824

/** Bytes that the plan of the account lets it store; null without a limit. */
async function mediaBytesMax(rt: Runtime, accountId: string): Promise<number | null> {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  return account ? plans[account.plan as Plan].mediaBytes : null
}

/** Refuses before the first byte is read when nothing more fits. The unit that stores the file decides for certain. */
export async function requireMediaRoomLeft(rt: Runtime, accountId: string): Promise<void> {
  const bytesMax = await mediaBytesMax(rt, accountId)
  if (bytesMax === null) return
  const [usage] = await rt.store.read(findMediaUsage, { account_id: accountId })
  if ((usage?.bytes ?? 0) >= bytesMax) throw noMediaRoom(bytesMax)
}

function noMediaRoom(bytesMax: number): AppError {
  const limit = `${bytesMax / gibibyte} GiB`
  return new AppError(
    'plan_not_sufficient',
    `The plan allows ${limit} of stored files, and this file would exceed that. Delete files, or ask the operator for a larger plan.`,
  )
}
