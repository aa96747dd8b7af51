import { createHash } from 'node:crypto'
import { AppError } from '../contract/app-error.ts'
import { type Plan, plans } from '../contract/plans.ts'
import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../store/engine/unit.ts'
import { holdLooseBlob, keepBlob, settleLooseBlob } from '../store/media/blobs.ts'
import { countBlob, findMediaUsage, insertMedia, type MediaRow, requireMediaRoom } from '../store/media/media.ts'
import type { BlobAt, BlobWriter } from './blobs/blob.ts'
import { blobStoreAt } from './blobs/blob-store.ts'
import { announceBlob, discardBlob } from './blobs/loose-blobs.ts'
import { type Inspection, inspectContent } from './types/inspect-content.ts'
import { fileBytesMax, sizeText } from './types/media-kinds.ts'
import { headBytes } from './types/sniff-media.ts'

/** As long as the platform keeps an upload. */
const uploadDays = 30

type NewFile = { filename: string | null; linkHash?: string }

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

/** The detected type of a file. */
export type Verdict = { kind: string; mimeType: string; bytesMax: number }

/** Bytes that are safe on disk and wait for a file to claim them; `discardBlob` when none does. */
export type Staged = BlobAt & { accountId: string; kind: string; mimeType: string; size: number; sha256: string }

export type Intake = {
  /** Takes the next bytes; rejects as soon as the file cannot be accepted. */
  write(chunk: Uint8Array): Promise<void>
  finish(): Promise<Staged>
  /** Leaves nothing behind. */
  discard(): Promise<void>
}

/**
 * The one way bytes come in: from an upload, from a link, from the platform. They are judged by their first 16 KB,
 * counted and hashed on their way, and never held in memory. A file that is refused by its first bytes touches no disk.
 */
export function createIntake(
  rt: Runtime,
  accountId: string,
  judge: (head: Uint8Array) => Promise<Verdict>,
  { inspect = true }: { inspect?: boolean } = {},
): Intake {
  const hash = createHash('sha256')
  const head: Uint8Array[] = []
  let size = 0
  let opened: Opened | null = null

  return {
    async write(chunk) {
      size += chunk.length
      if (opened) return take(opened, chunk)
      head.push(chunk)
      if (size >= headBytes) await begin()
    },
    async finish() {
      const { blob, verdict, writer, inspection } = opened ?? (await begin())
      inspection?.end()
      const sha256 = hash.digest('hex')
      await writer.finish(sha256)
      const { kind, mimeType } = verdict
      return { ...blob, accountId, kind, mimeType, size, sha256 }
    },
    async discard() {
      if (!opened) return
      await opened.writer.abandon().catch(() => {})
      await discardBlob(rt, opened.blob)
    },
  }

  async function begin(): Promise<Opened> {
    const bytes = Buffer.concat(head)
    const verdict = await judge(bytes)
    if (size > verdict.bytesMax) throw tooLarge(verdict)
    const blob = await announceBlob(rt, accountId)
    const writer = await blobStoreAt(rt, blob.place).create(blob.blobId)
    opened = { blob, verdict, writer, inspection: inspect ? inspectContent(verdict.mimeType) : null }
    head.length = 0
    await take(opened, bytes)
    return opened
  }

  async function take({ verdict, writer, inspection }: Opened, chunk: Uint8Array): Promise<void> {
    if (size > verdict.bytesMax) throw tooLarge(verdict)
    inspection?.take(chunk)
    hash.update(chunk)
    await writer.write(chunk)
  }
}

type Opened = { blob: BlobAt; verdict: Verdict; writer: BlobWriter; inspection: Inspection | null }

export function tooLarge({ kind, bytesMax }: Pick<Verdict, 'kind' | 'bytesMax'>): AppError {
  const what = bytesMax === fileBytesMax ? 'A file' : `A file of type ${kind}`
  return new AppError('media_too_large', `${what} can have at most ${sizeText(bytesMax)}.`)
}
