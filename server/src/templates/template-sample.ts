import { AppError } from '../contract/app-error.ts'
import { fetchLink } from '../media/fetch-link.ts'
import { openBytes, requireBytes, requireKeptMedia, type StoredMedia } from '../media/open-content.ts'
import { filenameOr } from '../media/upload-media.ts'
import type { Runtime } from '../runtime.ts'
import {
  type CarouselCard,
  findComponent,
  type MediaHeader,
  type MediaKind,
  type TemplateComponent,
  type TemplateContent,
} from './content/template-types.ts'
import { toRefusal } from './platform-refusal.ts'
import type { TemplateChannel } from './sync/sync-templates.ts'

/** The content as the platform takes it: each file a reviewer will see is a handle there, those of cards too. */
export async function withHandles(
  rt: Runtime,
  channel: TemplateChannel,
  content: TemplateContent,
): Promise<TemplateContent> {
  const components: TemplateComponent[] = []
  // One after the other: ten files at once would crowd out those of other accounts.
  for (const component of content.components) components.push(await withHandle(rt, channel, component))
  return { ...content, components }
}

async function withHandle(
  rt: Runtime,
  channel: TemplateChannel,
  component: TemplateComponent,
): Promise<TemplateComponent> {
  if (component.type === 'carousel') {
    const cards: CarouselCard[] = []
    for (const card of component.cards) {
      const header = findComponent(card, 'header')
      const filled = header ? await withHandle(rt, channel, header) : null
      cards.push({ ...card, components: card.components.map((one) => (one === header && filled ? filled : one)) })
    }
    return { ...component, cards }
  }
  if (component.type !== 'header' || !('example' in component) || !component.example) return component
  return { ...component, example: { handle: await sampleHandle(rt, channel, component) } }
}

/**
 * Uploaded to the platform from a link or from our own media, unless the caller brought one. The sandbox fetches nothing
 * and takes the link itself.
 */
async function sampleHandle(rt: Runtime, channel: TemplateChannel, header: MediaHeader): Promise<string> {
  const { example } = header
  if (example && 'handle' in example) return example.handle
  if (example && 'link' in example && channel.kind === 'sandbox') return example.link
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
