import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import { enqueueJob } from '../store/jobs/jobs.ts'
import { insertMedia } from '../store/media/media.ts'
import { cleanFilename } from './filename.ts'
import { bareMime, type MediaKind } from './types/media-kinds.ts'

export const fetchJobKind = 'media.fetch'

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

/** What the fetching job must know. */
export type FetchPayload = Pick<InboundFile, 'numberId' | 'platformMediaId' | 'sha256'>

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
  })
  const { numberId, platformMediaId, sha256 } = file
  const payload: FetchPayload = { numberId, platformMediaId, sha256 }
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
