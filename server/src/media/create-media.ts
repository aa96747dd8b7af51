import {
  addClaim,
  addOutcome,
  findOutcome,
  fingerprintOf,
  type IdempotencyKey,
  type Outcome,
} from '../access/idempotency.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { cleanFilename, requireFilename, withEndingOf } from './filename.ts'
import type { Staged } from './intake.ts'
import { keepMedia } from './keep-media.ts'
import { discardBlob } from './loose-blobs.ts'
import { type MediaRecord, toMediaRecord } from './media-record.ts'

export type UploadNames = {
  /** The form's own field; it wins. */
  field: string | null
  /** What the file was called in its part. */
  part: string | null
}

export type CreatedMedia = { record: MediaRecord; replayed: boolean }

/**
 * The second half of an upload: the bytes are on disk, now they become a file with an id. A repeat under the same
 * idempotency key with the same bytes and name answers with the first file, and its bytes are let go.
 */
export async function createMedia(
  rt: Runtime,
  staged: Staged,
  names: UploadNames,
  idempotencyKey: string | null,
): Promise<CreatedMedia> {
  try {
    const given = names.field === null ? cleanFilename(names.part) : requireFilename(names.field)
    const filename = withEndingOf(given, staged.mimeType)
    if (idempotencyKey === null)
      return { record: toMediaRecord(await keepMedia(rt, staged, { filename })), replayed: false }
    return await createOnce(rt, staged, filename, keyOf(staged, filename, idempotencyKey))
  } catch (error) {
    await discardBlob(rt, staged.blobId)
    throw error
  }
}

async function createOnce(
  rt: Runtime,
  staged: Staged,
  filename: string | null,
  request: IdempotencyKey,
): Promise<CreatedMedia> {
  const earlier = await findOutcome(rt, request)
  if (earlier) {
    await discardBlob(rt, staged.blobId)
    return { record: recordOf(earlier), replayed: true }
  }
  try {
    const row = await keepMedia(rt, staged, { filename }, (unit, created) => {
      addClaim(rt, unit, request, created.id)
      addOutcome(unit, request, created.id, { kind: 'answer', status: 201, data: toMediaRecord(created) })
    })
    return { record: toMediaRecord(row), replayed: false }
  } catch (error) {
    // Two requests with one key finished at the same moment; the other was first.
    const other = isTaken(error) ? await findOutcome(rt, request) : null
    if (!other) throw error
    return { record: recordOf(other), replayed: true }
  }
}

function keyOf({ accountId, sha256 }: Staged, filename: string | null, key: string): IdempotencyKey {
  return { accountId, endpoint: 'POST /v1/chat/media', key, fingerprint: fingerprintOf({ sha256, filename }) }
}

function isTaken(error: unknown): boolean {
  return error instanceof ConditionFailed && error.operation === 'idempotency.claim'
}

/** Only finished uploads are kept with their key. */
function recordOf(outcome: Outcome): MediaRecord {
  if (outcome.kind === 'refusal') throw new Error('An upload under this key was kept as a refusal.')
  return outcome.data as MediaRecord
}
