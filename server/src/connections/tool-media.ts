import type { Caller } from '../access/caller.ts'
import type { ChannelNumber } from '../channels/require-number.ts'
import { requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import { timedOut, withTimeout } from '../lib/async/with-timeout.ts'
import { letGo } from '../media/delete-media.ts'
import { fetchNow } from '../media/inbound-media.ts'
import type { Staged } from '../media/intake.ts'
import { requireBytes, requireKeptMedia, requireMedia, type StoredMedia } from '../media/require-media.ts'
import { handOver } from '../media/resolve-media.ts'
import { createMedia } from '../media/upload-media.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { unitOf } from '../store/engine/unit.ts'
import { findMediaOfPlatform, type MediaRow, namePlatformMedia } from '../store/media/media.ts'

/**
 * A file that a tool uploads: kept like every upload, and at the platform at once, because its id there is what the tool is
 * answered and sends.
 */
export async function uploadForTool(
  rt: Runtime,
  number: ChannelNumber,
  staged: Staged,
  filename: string | null,
): Promise<{ id: string; kind: string }> {
  const { accountId, kind } = staged
  const { record } = await createMedia(rt, staged, { field: null, part: filename }, null)
  try {
    const file = requireBytes(await requireKeptMedia(rt, accountId, record.media_id))
    const { platformMediaId } = await handOver(rt, number, file)
    const named = { id: file.id, number_id: number.id, platform_media_id: platformMediaId }
    await rt.store.write(unitOf(namePlatformMedia, named))
    return { id: platformMediaId, kind }
  } catch (error) {
    await letGo(rt, accountId, record.media_id)
    throw error
  }
}

export type MediaReader = Pick<Caller, 'accountId' | 'scopes' | 'phoneNumberIds'>

/** An upload of a tool, or what a customer sent, by the platform's id; null for every other id. */
export async function findToolMedia(rt: Runtime, caller: MediaReader, id: string): Promise<MediaRow | null> {
  const { accountId, phoneNumberIds } = caller
  const rows = await rt.store.read(findMediaOfPlatform, { account_id: accountId, platform_media_ids: [id] })
  const row = rows.find(({ number_id }) => phoneNumberIds === null || phoneNumberIds.includes(number_id ?? ''))
  return row ? requireMedia(rt, caller, row.id) : null
}

const fetchWaitMs = 8_000

/** The file with its bytes. What a customer sent a moment ago is fetched now. */
export async function fetchedToolMedia(rt: Runtime, row: MediaRow): Promise<StoredMedia> {
  if (row.state !== 'fetching') return requireBytes(row)
  const outcome = await withTimeout(fetchNow(rt, row), fetchWaitMs).catch((error: unknown) => {
    throw error instanceof PlatformError ? notFetched(error) : error
  })
  if (outcome === timedOut) throw notFetched()
  return requireBytes(await requireKeptMedia(rt, row.account_id, row.id))
}

function notFetched(cause?: PlatformError): AppError {
  return new AppError('upstream_unavailable', 'Meta has not handed over this file yet.', {
    retryAfterSeconds: 5,
    ...(cause && { cause }),
  })
}

/** Here and at the platform. What customers sent stays until its retention ends. */
export async function deleteToolMedia(rt: Runtime, row: MediaRow): Promise<void> {
  const { id, account_id: accountId, direction, number_id: from, platform_media_id: platformMediaId } = row
  if (direction !== 'outbound') {
    throw new AppError('insufficient_scope', 'A tool can delete its uploads, not what customers sent.')
  }
  const number = await requireNumber(rt, accountId, { from })
  await rt.platform.deleteMedia(number.credentials, platformMediaId ?? '').catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error
    if (error.code !== 'media_not_found') {
      throw new AppError(error.code, 'Meta did not delete this file. It is still here too.', { cause: error })
    }
  })
  await letGo(rt, accountId, id)
}
