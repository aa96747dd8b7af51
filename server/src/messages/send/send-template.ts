import type { ChannelNumber } from '../../channels/require-number.ts'
import { AppError, validationFailed } from '../../contract/app-error.ts'
import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import type { TemplateContent } from '../../contract/template-content.ts'
import { parseLanguage } from '../../lib/text/language.ts'
import { requireNamedFile, resolveMedia } from '../../media/resolve-media.ts'
import type { TemplateMessage } from '../../platform/outbound-message.ts'
import type { Runtime } from '../../runtime.ts'
import type { TemplateRecord } from '../../templates/content/template-types.ts'
import { findTemplate, requireSendableTemplate } from '../../templates/find-template.ts'
import { matchParameters } from '../../templates/values/match-parameters.ts'
import type { MediaSource } from '../../templates/values/read-parameters.ts'
import { filesNamedIn, readSendComponents } from '../../templates/values/read-send-components.ts'
import type { SendComponent, SendParameter, SendPart } from '../../templates/values/send-components.ts'
import { findUnsupportedPart } from '../../templates/values/unsupported-parts.ts'
import { requireMarketingAllowed } from '../receive-preferences.ts'
import {
  type Draft,
  draftOf,
  type FileOptions,
  requireReads,
  resolveOptions,
  type Sender,
  type TemplateChoice,
  type TemplateRequest,
} from './draft.ts'

/** Everything the platform would refuse is refused here, with the variables by name. */
export async function draftTemplate(rt: Runtime, sender: Sender, request: TemplateRequest, place = ''): Promise<Draft> {
  let language = ''
  let named: MediaSource[] = []
  const draft = await draftOf(rt, sender, request, async () => {
    language = requireLanguage(request.language, `${place}language`)
    named = await requireReadable(rt, sender.accountId, { ...request, language }, place)
    if (named.length > 0) requireReads(sender)
  })
  const { number, address } = draft
  for (const file of named) await requireNamedFile(rt, sender.accountId, 'media_id' in file ? file.media_id : null)
  const template = await requireSendableTemplate(
    rt,
    number,
    { name: request.template, language },
    sender.recalled ? 0 : sender.deadline?.filesWaitMs(),
  )
  requireSupported(template, place)
  const matched = requireMatch(template, request.components, place)
  if (template.category === 'marketing') await requireMarketingAllowed(rt, number, address.value)
  return fillTemplate(rt, sender, draft, template, matched)
}

type Base = Awaited<ReturnType<typeof draftOf>>
type Matched = Extract<ReturnType<typeof matchParameters>, { ok: true }>

export function requireMatch(template: TemplateRecord, components: unknown, place = ''): Matched {
  const matched = matchParameters(template, components ?? undefined)
  if (!matched.ok) throw refusal(matched.error, matched.problems, place)
  return matched
}

/** A draft with the values of its template, and its files where the platform finds them. */
export async function fillTemplate(
  rt: Runtime,
  sender: Sender,
  draft: Base,
  template: TemplateRecord,
  matched: Matched,
): Promise<Draft> {
  const { number } = draft
  const resolving: Resolving = { rt, number, options: resolveOptions(sender), files: [] }
  const components = await Promise.all(matched.components.map((component) => withFiles(resolving, component)))
  const { id, name, language, category, last_used_at } = template
  return {
    ...draft,
    type: 'template',
    outbound: { type: 'template', name, language, components, ...(category === 'marketing' && { isMarketing: true }) },
    content: matched.rendered,
    template: { id, name, language, category, last_used_at },
    files: resolving.files,
  }
}

/** The template that is sent instead of a text. */
export async function draftFallback(rt: Runtime, sender: Sender, request: TemplateRequest): Promise<Draft> {
  return { ...(await draftTemplate(rt, sender, request, 'fallback.')), used: 'template' }
}

/** The form of the values comes before the template they are for. Gives the files they name. */
async function requireReadable(
  rt: Runtime,
  accountId: string,
  { template: name, language, components }: TemplateChoice,
  place: string,
): Promise<MediaSource[]> {
  const given = readSendComponents(components ?? undefined, language)
  if (given.problems.length === 0) return filesNamedIn(given.components)
  // Where the template is known, its values are shown as they should be.
  const template = await findTemplate(rt, accountId, name, language)
  const matched = template ? matchParameters(template, components ?? undefined) : null
  throw refusal('validation_failed', matched && !matched.ok ? matched.problems : given.problems, place)
}

function requireLanguage(input: string, field: string): string {
  const language = parseLanguage(input)
  if (language !== null) return language
  throw validationFailed([
    { field, location: 'body', code: 'invalid_language', message: 'Write the language as en, en_US or pt_BR.' },
  ])
}

/** Meta would refuse it for values that cannot be given here. */
function requireSupported(template: TemplateContent, place: string): void {
  const part = findUnsupportedPart(template)
  if (part === null) return
  const { name, language } = template
  const message = `The template ${name} (${language}) has ${part}, which this gateway cannot fill. Send another template.`
  throw new AppError('message_type_not_supported', message, {
    details: [bodyProblem(`${place}template`, 'invalid_value', message)],
  })
}

function refusal(
  error: 'validation_failed' | 'template_parameter_mismatch',
  problems: FieldProblem[],
  place: string,
): AppError {
  const placed = problems.map((problem) => ({ ...problem, field: `${place}${problem.field}` }))
  if (error === 'validation_failed') return validationFailed(placed)
  const [first] = placed
  return new AppError('template_parameter_mismatch', first?.message ?? 'The values do not match the template.', {
    details: placed,
  })
}

type Resolving = { rt: Runtime; number: ChannelNumber; options: FileOptions; files: string[] }

type Outbound = TemplateMessage['components'][number]
type OutboundPart = Exclude<Outbound, { type: 'carousel' }>

/** The values of a component with its files where the platform finds them. */
async function withFiles(resolving: Resolving, component: SendComponent): Promise<Outbound> {
  if (component.type !== 'carousel') return partWithFiles(resolving, component)
  const cards = component.cards.map(async ({ card_index, components }) => ({
    card_index,
    components: await Promise.all(components.map((part) => partWithFiles(resolving, part))),
  }))
  return { type: 'carousel', cards: await Promise.all(cards) }
}

async function partWithFiles(resolving: Resolving, component: SendPart): Promise<OutboundPart> {
  const parameters = await Promise.all(component.parameters.map((parameter) => withFile(resolving, parameter)))
  return { ...component, parameters }
}

async function withFile(resolving: Resolving, parameter: SendParameter): Promise<OutboundPart['parameters'][number]> {
  if (!('media' in parameter)) return parameter
  const { rt, number, options, files } = resolving
  const { type, media } = parameter
  // Meta sends no other document in the header of a template.
  const only = type === 'document' ? { mimeTypes: ['application/pdf'] } : {}
  const { reference, record } = await resolveMedia(rt, number, media, { kind: type, ...options, ...only })
  if (record.media_id !== null) files.push(record.media_id)
  return { type, media: { ...reference, ...(media.filename ? { filename: media.filename } : {}) } }
}
