import type { Static } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { type Author, writeAudited } from '../audit/audit.ts'
import { askPlatform } from '../channels/ask-platform.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import type { AutomationChange, LinkRequest } from '../contract/messages/entry-points.ts'
import type { ProfileChanges } from '../contract/profile.ts'
import type { FieldLocation } from '../contract/schema.ts'
import { fetchLink } from '../media/fetch-link.ts'
import { readBytes, requireBytes, requireKeptMedia, type StoredMedia } from '../media/open-content.ts'
import { kindBytesMax } from '../media/types/media-kinds.ts'
import { headBytes, sniffMedia } from '../media/types/sniff-media.ts'
import { filenameOr } from '../media/upload-media.ts'
import type { ProfileChanges as PlatformChanges, ShortLink } from '../platform/chat-platform.ts'
import type { Runtime } from '../runtime.ts'

type ProfileOwner = Pick<Caller, 'accountId' | 'phoneNumberIds'>

/** The business profile of a number. Read from the platform each time, because people change it elsewhere too. */
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

/** Entry points of a number. Stored by Meta, and read there each time. */
type Owner = Pick<Caller, 'accountId' | 'phoneNumberIds'>

export async function listLinks(rt: Runtime, owner: Owner, from: string | undefined) {
  const number = await ownNumber(rt, owner, from, 'query')
  const links = await askPlatform(rt, number, 'the short links', () => rt.platform.listLinks(number.credentials))
  return { phone_number: number.phoneNumber, links: links.map(describe) }
}

/** Without a code a new one. A lost answer may have made one all the same: the list shows it. */
export async function saveLink(
  rt: Runtime,
  owner: Owner,
  { code = null, from, message, qr_image }: Static<typeof LinkRequest> & { code?: string | null },
  author: Author,
) {
  const number = await ownNumber(rt, owner, from, 'body')
  const link = await askPlatform(rt, number, 'the short link', () =>
    rt.platform.saveLink(number.credentials, { code, message, image: qr_image ?? 'svg' }),
  )
  await note(rt, number, 'number.links_changed', author, { code: link.code })
  return describe(link)
}

export async function deleteLink(rt: Runtime, owner: Owner, code: string, from: string | undefined, author: Author) {
  const number = await ownNumber(rt, owner, from, 'query')
  await askPlatform(rt, number, 'the short link', () => rt.platform.deleteLink(number.credentials, code))
  await note(rt, number, 'number.links_changed', author, { code })
  return { link_id: code, deleted: true as const }
}

export async function getAutomation(rt: Runtime, owner: Owner, from: string | undefined) {
  return readAutomation(rt, await ownNumber(rt, owner, from, 'query'))
}

export async function setAutomation(
  rt: Runtime,
  owner: Owner,
  { from, prompts, commands }: Static<typeof AutomationChange>,
  author: Author,
) {
  if (!prompts && !commands) throw invalidField('prompts', 'one_of_required', 'Give `prompts` or `commands`.')
  const names = commands?.map(({ name }) => name) ?? []
  const twice = names.findIndex((name, index) => names.indexOf(name) < index)
  if (twice >= 0) throw invalidField(`commands[${twice}].name`, 'invalid_value', 'Each command has its own name.')
  const number = await ownNumber(rt, owner, from, 'body')
  const change = { ...(prompts && { prompts }), ...(commands && { commands }) }
  await askPlatform(rt, number, 'the ice breakers and commands', () =>
    rt.platform.setAutomation(number.credentials, change),
  )
  await note(rt, number, 'number.automation_set', author, { fields: Object.keys(change) })
  return readAutomation(rt, number)
}

async function readAutomation(rt: Runtime, number: ChannelNumber) {
  const found = await askPlatform(rt, number, 'the ice breakers and commands', () =>
    rt.platform.getAutomation(number.credentials),
  )
  return { phone_number: number.phoneNumber, ...found }
}

function ownNumber(rt: Runtime, owner: Owner, from: string | null | undefined, location: FieldLocation) {
  return requireNumber(rt, owner.accountId, { from: from ?? null, allowedIds: owner.phoneNumberIds, location })
}

function describe({ code, message, url, qrImageUrl }: ShortLink) {
  return { link_id: code, message, url, qr_image_url: qrImageUrl }
}

async function note(
  rt: Runtime,
  { id, accountId, phoneNumber }: ChannelNumber,
  action: string,
  { actor, context }: Author,
  metadata: Record<string, unknown>,
): Promise<void> {
  const targets = [{ type: 'number', id, name: phoneNumber }]
  await writeAudited(rt, { accountId, action, actor, context, targets, metadata }, () => {})
}
