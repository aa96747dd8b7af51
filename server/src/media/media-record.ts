import type { Static } from 'typebox'
import type { MediaFile } from '../contract/media.ts'
import { formatInstant } from '../lib/instant.ts'
import type { MediaRow } from '../store/media/media.ts'

/** A file as the API shows it. Size and hash of an inbound file are known once it has been fetched. */
export type MediaRecord = Static<typeof MediaFile>

export function toMediaRecord(row: MediaRow): MediaRecord {
  return {
    media_id: row.id,
    type: row.kind as MediaRecord['type'],
    mime_type: row.mime_type,
    filename: row.filename,
    size: row.size,
    sha256: row.sha256,
    created_at: formatInstant(row.created_at),
    expires_at: formatInstant(row.expires_at),
  }
}
