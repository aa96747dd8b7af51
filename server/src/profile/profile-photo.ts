import { askPlatform } from '../channels/ask-platform.ts'
import type { ChannelNumber } from '../channels/require-number.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import { fetchLink } from '../media/fetch-link.ts'
import { filenameOr } from '../media/filename.ts'
import { readBytes } from '../media/open-bytes.ts'
import { requireBytes, requireKeptMedia, type StoredMedia } from '../media/require-media.ts'
import { kindBytesMax } from '../media/types/media-kinds.ts'
import { headBytes, sniffMedia } from '../media/types/sniff-media.ts'
import type { Runtime } from '../runtime.ts'
import { type ProfileOwner, requireOwnNumber, subject } from './get-profile.ts'

type PhotoSource = { media_id?: string | null | undefined; link?: string | null | undefined }

const photoTypes: readonly string[] = ['image/jpeg', 'image/png']

/** The platform's handle of a file that is to become the photo. */
export async function photoHandle(rt: Runtime, number: ChannelNumber, source: PhotoSource): Promise<string> {
  const file = await fileOf(rt, number.accountId, source)
  if (!photoTypes.includes(file.mime_type)) {
    const sentence = `The photo must be a JPEG or PNG; this file is ${file.mime_type}.`
    throw new AppError('media_type_not_supported', sentence)
  }
  const content = await readBytes(rt, file)
  const sample = { content, mimeType: file.mime_type, filename: filenameOr(file.filename, file.mime_type) }
  const upload = () => rt.platform.uploadSample(number.credentials, sample)
  return (await askPlatform(rt, number, 'the photo', upload)).handle
}

async function fileOf(rt: Runtime, accountId: string, { media_id, link }: PhotoSource): Promise<StoredMedia> {
  if (media_id && link) {
    throw invalidField('photo', 'mutually_exclusive', 'Give `media_id` or `link`, not both.')
  }
  if (media_id) return requireBytes(await requireKeptMedia(rt, accountId, media_id))
  if (link) return fetchLink(rt, accountId, link, 'image')
  throw invalidField('photo', 'one_of_required', 'Give `media_id` or `link`.')
}

/** The photo that customers see, through the gateway: pages of the console load nothing from elsewhere. */
export async function readPhoto(rt: Runtime, owner: ProfileOwner, from: string | undefined) {
  const number = await requireOwnNumber(rt, owner, from, 'query')
  const chunks: Uint8Array[] = []
  const wanted = {
    bytesMax: kindBytesMax.image,
    write: async (chunk: Uint8Array) => void chunks.push(chunk),
  }
  await askPlatform(rt, number, subject, () => rt.platform.downloadPhoto(number.credentials, wanted))
  const bytes = Buffer.concat(chunks)
  const { likely } = await sniffMedia(bytes.subarray(0, headBytes))
  if (likely?.kind !== 'image') {
    throw new AppError('media_type_not_supported', 'Meta sent a photo that is neither JPEG nor PNG.')
  }
  return { bytes, mimeType: likely.mimeType }
}
