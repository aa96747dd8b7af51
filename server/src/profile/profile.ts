import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { type Author, writeAudited } from '../audit/audit.ts'
import { askPlatform } from '../channels/ask-platform.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import type { ProfileChanges } from '../contract/profile.ts'
import type { FieldLocation } from '../contract/schema.ts'
import { fetchLink } from '../media/fetch-link.ts'
import { readBytes, requireBytes, requireKeptMedia, type StoredMedia } from '../media/open-content.ts'
import { kindBytesMax } from '../media/types/media-kinds.ts'
import { headBytes, sniffMedia } from '../media/types/sniff-media.ts'
import { filenameOr } from '../media/upload-media.ts'
import type { ProfileChanges as PlatformChanges } from '../platform/chat-platform.ts'
import type { Runtime } from '../runtime.ts'

type ProfileOwner = Pick<Caller, 'accountId' | 'phoneNumberIds'>

/** What customers see about a number. Asked of the platform each time: people change it elsewhere too. */
export async function getProfile(rt: Runtime, owner: ProfileOwner, from: string | null | undefined) {
  return readProfile(rt, await requireOwnNumber(rt, owner, from, 'query'))
}

function requireOwnNumber(
  rt: Runtime,
  { accountId, phoneNumberIds }: ProfileOwner,
  from: string | null | undefined,
  location: FieldLocation = 'body',
): Promise<ChannelNumber> {
  return requireNumber(rt, accountId, { from: from ?? null, allowedIds: phoneNumberIds, location })
}

async function readProfile(rt: Runtime, number: ChannelNumber) {
  const profile = await askPlatform(rt, number, subject, () => rt.platform.getProfile(number.credentials))
  const { photoUrl, ...fields } = profile
  return { phone_number: number.phoneNumber, ...fields, photo_url: photoUrl }
}

const subject = 'the business profile'

/** Changes the given fields at the platform, and answers with what is there now. */
export async function updateProfile(
  rt: Runtime,
  owner: ProfileOwner,
  { from, photo, ...given }: Static<typeof ProfileChanges>,
  { actor, context }: Author,
) {
  const texts = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)) as PlatformChanges
  if (!photo && Object.keys(texts).length === 0) {
    throw invalidField('about', 'one_of_required', 'Give at least one field to change.')
  }
  const number = await requireOwnNumber(rt, owner, from)
  const changes = photo ? { ...texts, photoHandle: await photoHandle(rt, number, photo) } : texts
  await askPlatform(rt, number, subject, () => rt.platform.updateProfile(number.credentials, changes))
  const fields = [...Object.keys(texts), ...(photo ? ['photo'] : [])]
  const targets = [{ type: 'number', id: number.id, name: number.phoneNumber }]
  const { accountId } = number
  await writeAudited(
    rt,
    { accountId, action: 'profile.updated', actor, context, targets, metadata: { fields } },
    () => {},
  )
  return readProfile(rt, number)
}

type PhotoSource = { media_id?: string | null | undefined; link?: string | null | undefined }

const photoTypes: readonly string[] = ['image/jpeg', 'image/png']

/** The platform's handle of a file that is to become the photo. */
async function photoHandle(rt: Runtime, number: ChannelNumber, source: PhotoSource): Promise<string> {
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
