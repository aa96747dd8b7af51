import type { ChannelNumber } from '../channels/require-number.ts'
import { AppError } from '../contract/app-error.ts'
import { dayMs } from '../lib/durations.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { findPlatformUpload, keepPlatformUpload } from '../store/media/media.ts'
import { openBytes, shareTransfer } from './open-content.ts'
import type { StoredMedia } from './require-media.ts'
import { filenameOr } from './upload-media.ts'

/** The platform keeps an upload for 30 days; a day less, so that no message names one that dies on the way. */
const reusedMs = 29 * dayMs

/** The platform's id of these bytes for this number: uploaded once, then reused. */
export async function platformIdOf(rt: Runtime, number: ChannelNumber, file: StoredMedia): Promise<string> {
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

async function handOver(rt: Runtime, number: ChannelNumber, file: StoredMedia): Promise<{ platformMediaId: string }> {
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
