import type { Caller } from '../access/caller.ts'
import { seesPeople } from '../access/caller.ts'
import { AppError } from '../contract/app-error.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Runtime } from '../runtime.ts'
import { findMedia, type MediaRow } from '../store/media/media.ts'

/**
 * A file the caller may see: its own uploads with either scope, files from customers with `media:read` and
 * `messages:read`, so that a leaked sender key reads nothing of theirs.
 */
export async function requireMedia(
  rt: Runtime,
  caller: Pick<Caller, 'accountId' | 'scopes'>,
  mediaId: string,
): Promise<MediaRow> {
  const reads = caller.scopes.includes('media:read')
  if (!reads && !caller.scopes.includes('media:write')) throw missingScope('media:read')
  const row = await requireKeptMedia(rt, caller.accountId, mediaId)
  if (row.direction === 'inbound' && !reads) throw missingScope('media:read')
  if (row.direction === 'inbound' && !seesPeople(caller)) throw missingScope('messages:read')
  return row
}

/** Unknown, deleted, expired and another account's are all the same to the caller. */
export async function requireKeptMedia(rt: Runtime, accountId: string, mediaId: string): Promise<MediaRow> {
  const [row] = await rt.store.read(findMedia, { account_id: accountId, id: mediaId })
  if (!row || row.state === 'deleted' || (row.expires_at !== null && row.expires_at <= rt.clock.now())) {
    throw mediaNotFound('This file does not exist, was deleted or has expired.')
  }
  return row
}

export type StoredMedia = MediaRow & { blob_id: string; size: number; sha256: string }

/** A file whose bytes are here. */
export function requireBytes(row: MediaRow): StoredMedia {
  const { blob_id, size, sha256 } = row
  if (row.state === 'fetching') {
    throw mediaNotFound('The file is still being fetched from Meta. Try again in a few seconds.')
  }
  if (blob_id === null || size === null || sha256 === null) {
    throw mediaNotFound('Meta never delivered this file; it is lost.')
  }
  return { ...row, blob_id, size, sha256 }
}

/** Its record is here, its bytes are not: a backup was restored that did not contain them, or a bucket forgot them. */
export function bytesLost(): AppError {
  return mediaNotFound('The content of this file is missing in the storage of the gateway. Upload it again.')
}

function mediaNotFound(sentence: string): AppError {
  return new AppError('media_not_found', sentence)
}

function missingScope(scope: Scope): AppError {
  const sentence = `The API key, or its access token, lacks the scope ${scope}.`
  return new AppError('insufficient_scope', sentence, { requiredScope: scope })
}
