import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import { dayMs } from '../lib/durations.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import { type ClaimedJob, enqueueJob } from '../store/jobs/jobs.ts'
import { findMedia, insertMedia, loseMedia, type MediaRow, settleMedia } from '../store/media/media.ts'
import { claimBlob, createIntake, type Staged, writeClaim } from './keep-media.ts'
import { bareMime, fileBytesMax, type MediaKind } from './types/media-kinds.ts'
import { cleanFilename } from './upload-media.ts'

const fetchJobKind = 'media.fetch'

export type InboundFile = {
  /** Our own id, which the message's record names. */
  mediaId: string
  accountId: string
  numberId: string
  kind: MediaKind
  platformMediaId: string
  mimeType: string | null
  /** Lower-case hex, as the callback announces it. */
  sha256: string | null
  filename: string | null
}

/** The input of the fetch job. */
type FetchPayload = Pick<InboundFile, 'sha256'>

/**
 * A file a customer sent: its row and the job that fetches it belong to the unit of the message, so a message never
 * names a file that nobody is fetching. The job is due at once; the platform forgets the file after 7 days.
 */
export function enqueueInboundMedia(
  rt: Pick<Runtime, 'newId' | 'clock' | 'config'>,
  unit: Unit,
  file: InboundFile,
): void {
  const now = rt.clock.now()
  unit.add(insertMedia, {
    id: file.mediaId,
    account_id: file.accountId,
    direction: 'inbound',
    kind: file.kind,
    mime_type: bareMime(file.mimeType ?? '') || 'application/octet-stream',
    filename: cleanFilename(file.filename),
    size: null,
    sha256: null,
    state: 'fetching',
    link_hash: null,
    created_at: now,
    expires_at: now + rt.config.retentionContentDays * dayMs,
    number_id: file.numberId,
    platform_media_id: file.platformMediaId,
  })
  const payload: FetchPayload = { sha256: file.sha256 }
  unit.add(enqueueJob, {
    id: rt.newId('job'),
    lane: 'media',
    kind: fetchJobKind,
    subject: file.mediaId,
    account_id: file.accountId,
    payload: JSON.stringify(payload),
    run_at: now,
    now,
  })
}

/** As long as the platform keeps what customers sent. */
const triesMs = 7 * dayMs

/** The job behind an inbound file. It throws to be run again with growing pauses; after 7 days the file is lost. */
export async function fetchInboundMedia(rt: Runtime, job: ClaimedJob): Promise<'done'> {
  const [row] = await rt.store.read(findMedia, { account_id: job.account_id ?? '', id: job.subject })
  if (row?.state !== 'fetching') return 'done'
  try {
    await fetchNow(rt, row, JSON.parse(job.payload) as FetchPayload)
    rt.metrics.mediaUploads.inc({ kind: row.kind, outcome: 'stored' })
  } catch (error) {
    rt.metrics.mediaUploads.inc({ kind: row.kind, outcome: 'failed' })
    if (!isHopeless(rt, row, error)) throw error
    await lose(rt, row, error)
  }
  return 'done'
}

/** For the job, and for a client that asks for the file before the job came to it. */
export function fetchNow(rt: Runtime, row: MediaRow, payload: FetchPayload = { sha256: null }): Promise<void> {
  return rt.singleflight.run(`fetch ${row.id}`, async () => settle(rt, row, await download(rt, row, payload)))
}

async function download(rt: Runtime, row: MediaRow, payload: FetchPayload): Promise<Staged> {
  const platformMediaId = row.platform_media_id ?? ''
  const number = await requireNumber(rt, row.account_id, { from: row.number_id })
  const verdict = { kind: row.kind, mimeType: row.mime_type, bytesMax: fileBytesMax }
  // What a customer sent is kept, whatever it unpacks to.
  const intake = createIntake(rt, row.account_id, async () => verdict, { inspect: false })
  try {
    const wanted = { platformMediaId, bytesMax: fileBytesMax, write: intake.write }
    const { sha256 } = await rt.platform.downloadMedia(number.credentials, wanted)
    const staged = await intake.finish()
    const announced = payload.sha256 ?? sha256
    if (announced !== null && announced !== staged.sha256) {
      rt.log.warn({ media_id: row.id, account_id: row.account_id, bytes: staged.size }, 'media.hash_differs')
    }
    return staged
  } catch (error) {
    await intake.discard()
    throw error
  }
}

async function settle(rt: Runtime, row: MediaRow, staged: Staged): Promise<void> {
  const unit = new Unit()
  claimBlob(unit, staged, rt.clock.now())
  const { mimeType, size, sha256 } = staged
  unit.add(settleMedia, { id: row.id, account_id: row.account_id, mime_type: mimeType, size, sha256 })
  try {
    await writeClaim(rt, unit, staged)
  } catch (error) {
    // Deleted while it was fetched: nobody wants it any more.
    if (!(error instanceof ConditionFailed && error.operation === settleMedia.name)) throw error
  }
}

/** A file that is too large fails permanently; all other errors are retried until the platform deletes the file. */
function isHopeless(rt: Runtime, row: MediaRow, error: unknown): boolean {
  const told = error instanceof PlatformError || error instanceof AppError
  const tooLarge = told && error.code === 'media_too_large'
  return tooLarge || rt.clock.now() >= row.created_at + triesMs
}

async function lose(rt: Runtime, row: MediaRow, error: unknown): Promise<void> {
  rt.log.error({ err: error, media_id: row.id, account_id: row.account_id }, 'media.lost')
  await rt.store.write(unitOf(loseMedia, { id: row.id }))
}
