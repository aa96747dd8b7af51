import type { ChannelNumber } from '../../../channels/require-number.ts'
import { validationFailed } from '../../../contract/app-error.ts'
import type { FileHeader, Interactive, NamedFile } from '../../../contract/messages/interactive-content.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { type ResolveOptions, resolveMedia } from '../../../media/resolve-media.ts'
import type { OutboundFile, OutboundInteractive } from '../../../platform/outbound-message.ts'
import type { Runtime } from '../../../runtime.ts'
import { checkFile, checkGiven, checkWords } from './check-choices.ts'
import { type Frame, formOf, forms, frameOf } from './forms.ts'
import type { InteractiveRequest } from './interactive-request.ts'

/** Every limit of the channel that the request breaks, each with the place of what breaks it. */
export function checkInteractive(request: InteractiveRequest): FieldProblem[] {
  const frame = frameOf(request)
  return [
    ...checkHeader(request, frame),
    ...checkBody(request, frame),
    ...(frame.hasFooter ? checkGiven(request.footer, 'footer', 60) : refuse(request, 'footer')),
    ...formOf(request).check(request),
  ]
}

function checkBody({ body }: InteractiveRequest, { noun, bodyMax, mayLackBody }: Frame): FieldProblem[] {
  if (body == null) return mayLackBody ? [] : [bodyProblem('body', 'required', `Give ${noun} a text.`)]
  return checkWords(body, 'body', bodyMax)
}

function checkHeader(request: InteractiveRequest, { headers, noun, needsHeader }: Frame): FieldProblem[] {
  const { header } = request
  if (!header) return needsHeader ? [bodyProblem('header', 'required', `Give ${noun} a header.`)] : []
  if (headers.length === 0) return refuse(request, 'header')
  if (!headers.includes(header.type)) {
    return [bodyProblem('header.type', 'invalid_value', `The header of ${noun} can only be text.`)]
  }
  return header.type === 'text' ? checkWords(header.text, 'header.text', 60) : checkFile(header, 'header')
}

function refuse(request: InteractiveRequest, field: 'header' | 'footer'): FieldProblem[] {
  if (!request[field]) return []
  return [bodyProblem(field, 'unknown_field', `A message of type ${request.type} has no ${field}.`)]
}

/** The stored content of an interactive message. */
export type InteractiveContent = Interactive<NamedFile>

/** Turns a checked request into what is sent. */
export function interactiveContent(request: InteractiveRequest): InteractiveContent {
  const { header = null, body = null, footer = null } = request
  return { ...formOf(request).content(request), header, body, footer }
}

/** The files that a message names, wherever in it. */
export function filesOf(content: InteractiveContent): FileHeader<NamedFile>[] {
  const { header } = content
  return [
    ...(header === null || header.type === 'text' ? [] : [header]),
    ...(content.kind === 'carousel' ? content.cards.map((card) => card.header) : []),
  ]
}

type Resolved<Type> = { header: { type: Type } & OutboundFile; mediaId: string | null }

/** Makes the files of a message ready for the platform; `files` are those of ours. */
export async function toOutbound(
  rt: Runtime,
  number: ChannelNumber,
  content: InteractiveContent,
  options: Omit<ResolveOptions, 'kind'>,
): Promise<{ outbound: OutboundInteractive; files: string[] }> {
  const resolve = async <Type extends 'image' | 'video' | 'document'>(named: { type: Type } & NamedFile) => {
    const { type, media_id, link, filename = null } = named
    const source = media_id ? { media_id } : { link: link ?? '' }
    const { reference: media, record } = await resolveMedia(rt, number, source, { kind: type, ...options })
    return { header: { type, media, filename }, mediaId: record.media_id } satisfies Resolved<Type>
  }
  const filesIn = (resolved: Resolved<unknown>[]) => resolved.flatMap(({ mediaId }) => mediaId ?? [])
  if (content.kind === 'carousel') {
    const headers = await Promise.all(content.cards.map((card) => resolve(card.header)))
    const cards = headers.flatMap(({ header }, index) => {
      const card = content.cards[index]
      return card ? [{ ...card, header }] : []
    })
    return { outbound: { ...content, header: null, cards }, files: filesIn(headers) }
  }
  if (content.header === null || content.header.type === 'text') {
    return { outbound: { ...content, header: content.header }, files: [] }
  }
  const ready = await resolve(content.header)
  return { outbound: { ...content, header: ready.header }, files: filesIn([ready]) }
}

const ownFields = new Set(Object.values(forms).flatMap(({ needs, may = [] }) => [...needs, ...may]))

/** Each type has required fields of its own; the schema of the request leaves that to this sentence. */
export function requireForm<Body extends { type: InteractiveRequest['type'] }>(body: Body): Body & InteractiveRequest {
  const { needs, may = [] } = forms[body.type]
  const given = body as Record<string, unknown>
  const missing = needs.filter((field) => given[field] == null)
  const foreign = [...ownFields].filter((field) => ![...needs, ...may].includes(field) && given[field] != null)
  const problems = [
    ...missing.map((field) => bodyProblem(field, 'required', `A message of type ${body.type} needs ${field}.`)),
    ...foreign.map((field) => bodyProblem(field, 'unknown_field', `A message of type ${body.type} has no ${field}.`)),
  ]
  if (problems.length > 0) throw validationFailed(problems)
  return body as Body & InteractiveRequest
}
