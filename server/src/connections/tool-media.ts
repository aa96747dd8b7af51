import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import { numberIdsOf } from '../access/keys/api-key.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import type { Scope } from '../contract/scopes.ts'
import { timedOut, withTimeout } from '../lib/async/with-timeout.ts'
import { isRecord } from '../lib/is-record.ts'
import { letGo } from '../media/delete-media.ts'
import { fetchNow } from '../media/inbound-media.ts'
import type { Staged } from '../media/keep-media.ts'
import { requireBytes, requireKeptMedia, requireMedia, type StoredMedia } from '../media/open-content.ts'
import { handOver } from '../media/resolve-media.ts'
import { createMedia } from '../media/upload-media.ts'
import type { WireBody } from '../platform/dialect.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { findApiKey, findApiKeyByPublicKey } from '../store/accounts/api-keys.ts'
import { unitOf } from '../store/engine/unit.ts'
import { findMediaOfPlatform, type MediaRow, namePlatformMedia } from '../store/media/media.ts'
import { connectionOfApp } from './connection.ts'

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
  return new AppError('upstream_unavailable', 'Meta has not delivered this file yet.', {
    retryAfterSeconds: 5,
    ...(cause && { cause }),
  })
}

/** Here and at the platform. What customers sent stays until its retention ends. */
export async function deleteToolMedia(rt: Runtime, row: MediaRow): Promise<void> {
  const { id, account_id: accountId, direction, number_id: from, platform_media_id: platformMediaId } = row
  if (direction !== 'outbound') {
    throw new AppError('insufficient_scope', "A tool can delete its own uploads, but not customers' files.")
  }
  const number = await requireNumber(rt, accountId, { from })
  await rt.platform.deleteMedia(number.credentials, platformMediaId ?? '').catch((error: unknown) => {
    if (!(error instanceof PlatformError)) throw error
    if (error.code !== 'media_not_found') {
      throw new AppError(error.code, 'Meta did not delete this file, so it was kept here too.', { cause: error })
    }
  })
  await letGo(rt, accountId, id)
}

/** As long as an address of Meta's. */
const livesSeconds = 300

/** The query values of a signed link. */
type MediaLink = { app: string; expires: string; signature: string }

/** For five minutes, and for anyone who has it: some clients fetch files without their token. */
export function signMediaLink(
  rt: Runtime,
  connection: { id: string; appId: string },
  epoch: number,
  id: string,
): MediaLink {
  const expires = String(Math.floor(rt.clock.now() / 1_000) + livesSeconds)
  return {
    app: connection.appId,
    expires,
    signature: macOf(rt, connection.id, epoch, id, expires).toString('base64url'),
  }
}

/** Whose link this is; null for every other, also once the connection was changed or ended. */
export async function readMediaLink(rt: Runtime, id: string, link: MediaLink): Promise<MediaReader | null> {
  const { app, expires, signature } = link
  if (!/^\d{15}$/.test(app) || !/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 <= rt.clock.now()) return null
  const connection = await connectionOfApp(rt, app)
  if (!connection) return null
  const { accountId } = connection
  const [named] = await rt.store.read(findApiKey, { account_id: accountId, id: connection.keyId })
  const [key] = named ? await rt.store.read(findApiKeyByPublicKey, { public_key: named.public_key }) : []
  if (key?.status !== 'active' || key.account_status !== 'active') return null
  if (key.expires_at !== null && key.expires_at <= rt.clock.now()) return null
  const given = Buffer.from(signature, 'base64url')
  const right = macOf(rt, connection.id, key.epoch, id, expires)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return { accountId, scopes: JSON.parse(key.scopes) as Scope[], phoneNumberIds: numberIdsOf(key) }
}

function macOf(rt: Runtime, connectionId: string, epoch: number, id: string, expires: string): Buffer {
  return rt.secrets.mac('graph media link', [connectionId, epoch, id, expires].join('\n'))
}

/** The fields in which a request names a file: here, or below one of these. */
const fileKey = 'media_id'
const fileObjects = ['image', 'video', 'document']

/** The same request with our ids for files that a tool uploaded; ids that are not known stay as they are. */
export async function withOwnFiles(rt: Runtime, accountId: string, body: WireBody): Promise<WireBody> {
  const named = new Set<string>()
  replaced(body, (id) => {
    named.add(id)
    return id
  })
  if (named.size === 0) return body
  const rows = await rt.store.read(findMediaOfPlatform, { account_id: accountId, platform_media_ids: [...named] })
  const ownIds = new Map(rows.map(({ id, platform_media_id }) => [platform_media_id, id]))
  return replaced(body, (id) => ownIds.get(id) ?? id) as WireBody
}

function replaced(value: unknown, ownId: (id: string) => string, isFile = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => replaced(entry, ownId))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const names = typeof entry === 'string' && (key === fileKey || (isFile && key === 'id'))
      return [key, names ? ownId(entry) : replaced(entry, ownId, fileObjects.includes(key))]
    }),
  )
}

/** A session of a resumable upload: the platform's, and the number whose app opened it. */
type Session = { theirs: string; numberId: string }

const purpose = 'graph upload'
const prefix = 'upload:'

/** The id that a tool gets for it. It says all there is to know, to the connection that opened it alone. */
export function sealSession(rt: Runtime, connectionId: string, session: Session): string {
  return `${prefix}${rt.secrets.seal(purpose, connectionId, JSON.stringify(session))}`
}

export function openSession(rt: Runtime, connectionId: string, id: string): Session {
  try {
    return JSON.parse(rt.secrets.open(purpose, connectionId, id.slice(prefix.length)).toString('utf8')) as Session
  } catch {
    throw new AppError('endpoint_not_found', 'This connection has no such upload.')
  }
}

/** Files for headers and photos are uploaded to an app. */
export function appOf({ credentials }: ChannelNumber): string {
  if (credentials.appId !== undefined) return credentials.appId
  throw new AppError('channel_not_connected', 'The channel has no app id, which uploads of samples and photos need.')
}
