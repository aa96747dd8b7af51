import { platformRefusal } from '../channels/ask-platform.ts'
import { AppError } from '../contract/app-error.ts'
import { fetchLink } from '../media/fetch-link.ts'
import { openBytes, requireBytes, requireKeptMedia, type StoredMedia } from '../media/open-content.ts'
import { filenameOr } from '../media/upload-media.ts'
import { PlatformError, type TemplateRule } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import {
  type CarouselCard,
  findComponent,
  type MediaHeader,
  type MediaKind,
  type TemplateComponent,
  type TemplateContent,
} from './content/template-types.ts'
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

/** The file types of samples: fewer than can be sent. */
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

/** A call about a template that failed at the platform, as the caller is told; anything else comes through unchanged. */
export function toRefusal(error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error
  const { rule } = error
  return platformRefusal(
    error,
    (code) => (rule && ruleSentences[rule]) ?? sentences[code] ?? 'Meta rejected the template.',
  )
}

const sentences: Partial<Record<PlatformError['code'], string>> = {
  template_already_exists: 'Meta has a template with this name and language.',
  template_locked: 'Meta does not allow changes to this template in its current state.',
  template_invalid: "The template breaks one of Meta's rules; Meta does not say which.",
  template_not_found: 'Meta does not know this template.',
  channel_rate_limited: 'Meta is rate-limiting template changes.',
  upstream_unavailable: 'Meta did not respond. If the template arrived there, the next sync will find it.',
  channel_auth_failed: "Meta rejects the gateway's access token. The operator must reconnect the channel.",
  channel_permission_missing:
    "The gateway's token lacks the management permission at Meta. The operator must reconnect the channel.",
}

/** Errors that our own check can't detect, because only the platform knows the rule or measures it differently. */
const ruleSentences: Readonly<Record<TemplateRule, string>> = {
  template_limit:
    'The WhatsApp Business account has reached its template limit: 250, or 6,000 once it is verified. Delete some first.',
  name_in_deletion:
    'A template of this name was deleted; Meta blocks the name for 30 days. Use another name until then.',
  not_editable:
    'Meta does not allow changes to this template now: it is under review, disabled, or was edited too often. An ' +
    'approved one can be edited once in 24 hours and ten times in 30 days, and keeps its category.',
  too_long: 'Meta says a text of the template is too long.',
  header: 'Meta does not accept the header: its format, its variable, or the sample for it.',
  body: 'Meta does not accept the body: its variables, their examples, or a text that another template already has.',
  footer: 'Meta does not accept the footer: at most 60 characters, without variables.',
  buttons: 'Meta does not accept the buttons: their kinds, number, order or labels.',
  too_many_variables: 'Meta requires more fixed text in a body with this many variables.',
  variable_at_edge: 'Meta accepts no body that starts or ends with a variable.',
}
