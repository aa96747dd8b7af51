import { type Caller, seesPeople } from '../access/caller.ts'
import { AppError } from '../contract/app-error.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Runtime } from '../runtime.ts'
import { findMedia, type MediaRow } from '../store/media/media.ts'
import { BytesMissing } from './blobs/blob.ts'
import { openBlob } from './blobs/blob-store.ts'
import { bareMime } from './types/media-kinds.ts'
import { attachment, filenameOr } from './upload-media.ts'

/** `disposition` is the value of Content-Disposition. */
export async function openContent(rt: Runtime, caller: Pick<Caller, 'accountId' | 'scopes'>, mediaId: string) {
  const row = requireBytes(await requireMedia(rt, caller, mediaId))
  return {
    mimeType: harmlessType(row.mime_type),
    bytes: row.size,
    disposition: attachment(filenameOr(row.filename, row.mime_type)),
    content: await openBytes(rt, row),
  }
}

/** Types no browser runs. A customer may send anything, and the platform passes on what the customer calls it. */
const harmless =
  /^(image\/(jpeg|png|webp|gif)|(audio|video)\/[\w.+-]+|application\/(pdf|msword|vnd\.[\w.+-]+)|text\/plain)$/

function harmlessType(mimeType: string): string {
  const bare = bareMime(mimeType)
  return harmless.test(bare) ? bare : 'application/octet-stream'
}

/** The whole of a small file. */
export async function readBytes(rt: Runtime, file: StoredMedia): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await openBytes(rt, file)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The bytes of a file. One that was deleted since its row was read is not found; that is no fault of ours. */
export async function openBytes(rt: Runtime, file: StoredMedia): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await openBlob(rt, file.blob_id)
  } catch (error) {
    await requireKeptMedia(rt, file.account_id, file.id)
    if (!(error instanceof BytesMissing)) throw error
    rt.log.error({ media_id: file.id, account_id: file.account_id }, 'media.bytes_missing')
    throw bytesLost()
  }
}

/** Concurrent transfers of one account: a slow host or platform uses up the limit of its own account alone. */
const transfersMax = 32
const transferWaitMs = 8_000

/** A transfer of a file of an account; concurrent calls for the same file share one. */
export async function shareTransfer<T>(
  rt: Runtime,
  accountId: string,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  return rt.singleflight.run(`transfer ${key}`, () => limited(rt, accountId, work))
}

async function limited<T>(rt: Runtime, accountId: string, work: () => Promise<T>): Promise<T> {
  const release = await rt.concurrency.transfers.acquire(accountId, transfersMax, transferWaitMs)
  if (!release) {
    const sentence = `${transfersMax} files of this account are already being transferred. Nothing was sent.`
    throw new AppError('service_unavailable', sentence, { retryAfterSeconds: 5 })
  }
  return work().finally(release)
}

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
function bytesLost(): AppError {
  return mediaNotFound('The content of this file is missing in the storage of the gateway. Upload it again.')
}

function mediaNotFound(sentence: string): AppError {
  return new AppError('media_not_found', sentence)
}

function missingScope(scope: Scope): AppError {
  const sentence = `The API key, or its access token, lacks the scope ${scope}.`
  return new AppError('insufficient_scope', sentence, { requiredScope: scope })
}
