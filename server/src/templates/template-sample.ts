import { AppError } from '../contract/app-error.ts'
import { fetchLink } from '../media/fetch-link.ts'
import { filenameOr } from '../media/filename.ts'
import { openBytes } from '../media/open-bytes.ts'
import { requireBytes, requireKeptMedia, type StoredMedia } from '../media/require-media.ts'
import type { Runtime } from '../runtime.ts'
import { findComponent, type MediaHeader, type MediaKind, type TemplateContent } from './content/template-types.ts'
import { toRefusal } from './platform-refusal.ts'
import type { TemplateChannel } from './template-channel.ts'

/**
 * The handle of the file a reviewer will see: uploaded to the platform from a link or from our own media, unless the
 * caller brought one. Undefined when the template needs none. The sandbox fetches nothing and takes the link itself.
 */
export async function sampleHandle(
  rt: Runtime,
  channel: TemplateChannel,
  template: TemplateContent,
): Promise<string | undefined> {
  const header = findComponent(template, 'header')
  if (!header || !('example' in header) || !header.example) return undefined
  const { example } = header
  if ('handle' in example) return example.handle
  if ('link' in example && channel.kind === 'sandbox') return example.link
  const file = requireReviewable(await fileOf(rt, channel.accountId, header), header.format)
  const content = await bytesOf(rt, file)
  const sample = { content, mimeType: file.mime_type, filename: filenameOr(file.filename, file.mime_type) }
  try {
    return (await rt.platform.uploadSample(channel.credentials, sample)).handle
  } catch (error) {
    throw toRefusal(error)
  }
}

async function fileOf(rt: Runtime, accountId: string, { format, example }: MediaHeader): Promise<StoredMedia> {
  if (example && 'media_id' in example) return requireBytes(await requireKeptMedia(rt, accountId, example.media_id))
  if (example && 'link' in example) return fetchLink(rt, accountId, example.link, format)
  throw new Error('The header has no sample.')
}

/** What reviewers can be shown is less than what can be sent: the platform takes samples of these types only. */
const sampleTypes: Record<MediaKind, readonly string[]> = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4'],
  document: ['application/pdf'],
}

function requireReviewable(file: StoredMedia, format: MediaKind): StoredMedia {
  const allowed = sampleTypes[format]
  if (allowed.includes(file.mime_type)) return file
  throw new AppError(
    'media_type_not_supported',
    `The sample of a header with format ${format} must be ${allowed.join(' or ')}; this file is ${file.mime_type}.`,
  )
}

async function bytesOf(rt: Runtime, file: StoredMedia): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await openBytes(rt, file)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
