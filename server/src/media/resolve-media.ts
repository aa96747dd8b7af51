import type { ChannelNumber } from '../channels/require-number.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import { timedOut, withTimeout } from '../lib/async/with-timeout.ts'
import { dayMs } from '../lib/durations.ts'
import type { MediaReference } from '../platform/outbound-message.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { findPlatformUpload, keepPlatformUpload } from '../store/media/media.ts'
import { fetchLink } from './fetch-link.ts'
import { openBytes, requireBytes, requireKeptMedia, type StoredMedia, shareTransfer } from './open-content.ts'
import { kindBytesMax, type MediaKind, typeNamed } from './types/media-kinds.ts'
import { filenameOr } from './upload-media.ts'

export type MediaSource = { media_id: string } | { link: string }

type ResolvedMedia = {
  /** As the platform takes it. */
  reference: MediaReference
  /** For the content of the message; unknown facts of a passed-on link are null. */
  record: {
    media_id: string | null
    mime_type: string | null
    size: number | null
    sha256: string | null
    filename: string | null
  }
}

export type ResolveOptions = {
  kind: MediaKind
  /** Checks what can be checked without fetching, storing or uploading; the reference is not for sending then. */
  dryRun?: boolean
  /** How long to wait for a transfer. One that takes longer goes on, and the repeat of the request uses it. */
  waitMaxMs?: number
  /** The only MIME types that this place of a message takes; default: all of the kind. */
  mimeTypes?: readonly string[]
  /** The field of the request that leaves no other types. */
  askedBy?: string
}

/**
 * Turns what a caller named into what the platform can send. An upload goes to the platform once per number and is
 * named by the platform's id from then on. A link is fetched by us on a cloud channel, because the platform's own
 * fetcher is throttled per host, follows no redirect and reports its failure only after it said yes; on a sandbox
 * channel it is passed on and fetched by nobody.
 */
export async function resolveMedia(
  rt: Runtime,
  number: ChannelNumber,
  source: MediaSource,
  { kind, dryRun = false, waitMaxMs = Number.POSITIVE_INFINITY, ...only }: ResolveOptions,
): Promise<ResolvedMedia> {
  if ('link' in source && (dryRun || number.kind === 'sandbox')) {
    return { reference: { link: source.link }, record: unknownFile }
  }
  const transfer = makeReady(rt, number, source, { kind, dryRun, ...only })
  const ready = await withTimeout(transfer, waitMaxMs)
  if (ready !== timedOut) return ready
  transfer.catch((error: unknown) =>
    rt.log.warn({ err: error, account_id: number.accountId }, 'media.transfer_failed_after_the_answer'),
  )
  throw new AppError(
    'service_unavailable',
    'The file of this message is still being transferred. Nothing was sent; repeat the request and it will be used.',
    { retryAfterSeconds: notReadyRetrySeconds },
  )
}

async function makeReady(
  rt: Runtime,
  number: ChannelNumber,
  source: MediaSource,
  { dryRun, ...place }: Omit<ResolveOptions, 'waitMaxMs'>,
): Promise<ResolvedMedia> {
  const file =
    'link' in source
      ? await fetchLink(rt, number.accountId, source.link, place.kind)
      : requireBytes(await requireKeptMedia(rt, number.accountId, source.media_id))
  requireSendable(file, place)
  const { id, mime_type, size, sha256, filename } = file
  return {
    reference: { platformMediaId: dryRun ? id : await platformIdOf(rt, number, file) },
    record: { media_id: id, mime_type, size, sha256, filename },
  }
}

/** The file that a request names must be there; asked before any rule of business, and touches nothing. */
export async function requireNamedFile(rt: Runtime, accountId: string, mediaId: string | null | undefined) {
  if (mediaId) requireBytes(await requireKeptMedia(rt, accountId, mediaId))
}

const notReadyRetrySeconds = 5
const unknownFile = { media_id: null, mime_type: null, size: null, sha256: null, filename: null }

/** Customers can send types of files that can't be sent back. */
function requireSendable(
  { mime_type, size }: StoredMedia,
  { kind, mimeTypes, askedBy }: Pick<ResolveOptions, 'kind' | 'mimeTypes' | 'askedBy'>,
): void {
  const type = typeNamed(mime_type)
  if (!type) {
    throw new AppError('media_type_not_supported', 'Files of this type can be received but not sent.')
  }
  if (type.kind !== kind) {
    throw new AppError(
      'media_content_mismatch',
      `The file is of type ${type.kind}, but the message has the type ${kind}.`,
    )
  }
  if (mimeTypes && !mimeTypes.includes(type.mimeType)) {
    const sentence = `The file is ${type.mimeType}; here WhatsApp accepts only ${mimeTypes.join(', ')}.`
    throw askedBy
      ? invalidField(askedBy, 'invalid_value', sentence)
      : new AppError('media_type_not_supported', sentence)
  }
  // Whether a sticker moves, and so may be larger, was seen when its bytes came.
  if (size > kindBytesMax[kind]) throw new AppError('media_too_large', `The file is too large to be sent as ${kind}.`)
}

/** The platform keeps an upload for 30 days; a day less, so that no message names one that dies on the way. */
const reusedMs = 29 * dayMs

/** The platform's id of these bytes for this number: uploaded once, then reused. */
async function platformIdOf(rt: Runtime, number: ChannelNumber, file: StoredMedia): Promise<string> {
  const wanted = { blob_id: file.blob_id, number_id: number.id, now: rt.clock.now() }
  const [known] = await rt.store.read(findPlatformUpload, wanted)
  if (known) return known.platform_media_id
  return shareTransfer(rt, number.accountId, `upload ${number.id} ${file.blob_id}`, () => upload(rt, number, file))
}

async function upload(rt: Runtime, number: ChannelNumber, file: StoredMedia): Promise<string> {
  const expiresAt = rt.clock.now() + reusedMs
  const { platformMediaId } = await handOver(rt, number, file)
  const unit = new Unit()
  const { blob_id } = file
  unit.add(keepPlatformUpload, {
    blob_id,
    number_id: number.id,
    platform_media_id: platformMediaId,
    expires_at: expiresAt,
  })
  await rt.store.write(unit)
  return platformMediaId
}

/** Uploads a file to the platform, under a name of its own there. */
export async function handOver(
  rt: Runtime,
  number: ChannelNumber,
  file: StoredMedia,
): Promise<{ platformMediaId: string }> {
  const content = await openBytes(rt, file)
  const filename = filenameOr(file.filename, file.mime_type)
  try {
    return await rt.platform.uploadMedia(number.credentials, {
      content,
      bytes: file.size,
      // WhatsApp takes Ogg only with the codec named.
      mimeType: file.mime_type === 'audio/ogg' ? 'audio/ogg; codecs=opus' : file.mime_type,
      filename,
    })
  } catch (error) {
    throw error instanceof PlatformError ? refusal(error) : error
  }
}

/** No message exists yet, so even a lost answer means: nothing was sent. */
function refusal(failure: PlatformError): AppError {
  const { code, upstream, retryAfterMs } = failure
  const away = code === 'upstream_unavailable' || code === 'send_outcome_unknown'
  const sentence = away
    ? 'Meta could not be reached to upload the file. Nothing was sent.'
    : 'Meta did not accept the file. Nothing was sent.'
  const seconds = retryAfterMs === undefined ? (away ? 5 : undefined) : Math.ceil(retryAfterMs / 1_000)
  return new AppError(away ? 'upstream_unavailable' : code, sentence, {
    upstream,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    cause: failure,
  })
}
