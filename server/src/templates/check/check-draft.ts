import type { Caller } from '../../access/caller.ts'
import { listNumbers } from '../../channels/channel-record.ts'
import { AppError } from '../../contract/app-error.ts'
import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import { findTemplatesSaying } from '../../store/templates/templates.ts'
import { normaliseTemplate } from '../content/normalise-template.ts'
import {
  findComponent,
  type TemplateContent,
  type TemplateInput,
  type UrlButton,
  variablesOf,
} from '../content/template-types.ts'
import { requireTemplate } from '../get-template.ts'
import { fromRow } from '../stored-template.ts'
import type { TemplateChannel } from '../sync/sync-templates.ts'
import { offerEndExample, placeExample } from '../values/example-components.ts'
import { type ButtonParameter, exampleValue, productExample } from '../values/match-buttons.ts'
import { type FilledWith, type RenderedTemplate, renderedCard, renderTemplate } from '../values/render-template.ts'
import { checkTemplate } from './check-template.ts'

type CheckedDraft = { problems: FieldProblem[]; preview: RenderedTemplate }

const problemsMax = 20

/**
 * The problems a submission would be rejected for, and a preview of the message. Nothing is stored, and Meta isn't called.
 */
export async function checkDraft(rt: Runtime, accountId: string, input: TemplateInput): Promise<CheckedDraft> {
  const [number] = await listNumbers(rt, accountId)
  // Without a channel the stricter rules hold: what passes them passes everywhere.
  const { template, places, problems: unreadable } = normaliseTemplate(input, number?.kind ?? 'cloud')
  const problems = unreadable.length > 0 ? unreadable : checkTemplate(template, places)
  if (number && problems.length === 0) {
    const channel = { accountId, channelId: number.channel_id }
    problems.push(...(await checkSameWords(rt, channel, template, input)))
  }
  return { problems: problems.slice(0, problemsMax), preview: renderExamples(template) }
}

/** Filled with its examples. A value that is missing leaves its placeholder in sight. */
function renderExamples(template: TemplateContent): RenderedTemplate {
  const cards = findComponent(template, 'carousel')?.cards.map((card) =>
    renderedCard(card, renderExamples({ ...template, ...card })),
  )
  return { ...renderParts(template), ...(cards ? { cards } : {}) }
}

function renderParts(template: TemplateContent): RenderedTemplate {
  const examples = (component: 'header' | 'body') =>
    variablesOf(template, component).map(({ position, example }) => example ?? `{{${position}}}`)
  const buttons = findComponent(template, 'buttons')?.buttons ?? []
  return renderTemplate(template, {
    header: examples('header'),
    body: examples('body'),
    buttons: new Map(
      buttons.flatMap((button, index) => {
        const value = button.type === 'url' ? exampleOfUrl(button) : exampleValue(button)
        return value ? [[index, value]] : []
      }),
    ),
    media: sampleOf(template),
    offerEnd: offerEndExample,
  })
}

function exampleOfUrl({ example }: UrlButton): ButtonParameter {
  return { type: 'text', text: example ?? '{{1}}' }
}

function sampleOf(template: TemplateContent): FilledWith | null {
  const header = findComponent(template, 'header')
  if (header?.format === 'location') return { kind: 'location', ...placeExample }
  if (header?.format === 'product') return { kind: 'product', ...productExample }
  if (!header || header.format === 'text' || header.format === 'other') return null
  const { format: kind, example } = header
  // A handle is known to the platform alone, so only the kind of file can be shown.
  return example && !('handle' in example) ? { kind, ...example } : { kind }
}

/** Templates belong to a channel: a key that is limited to some numbers changes those of their channels alone. */
export async function requireAllowed(
  rt: Runtime,
  { accountId, phoneNumberIds }: Pick<Caller, 'accountId' | 'phoneNumberIds'>,
  templateId: string,
): Promise<{ accountId: string }> {
  if (phoneNumberIds === null) return { accountId }
  const { channel_id: channelId } = await requireTemplate(rt, accountId, templateId)
  const numbers = await listNumbers(rt, accountId)
  if (numbers.some(({ id, channel_id }) => channel_id === channelId && phoneNumberIds.includes(id)))
    return { accountId }
  const message = 'None of the numbers this API key may use belongs to the channel of this template.'
  throw new AppError('number_not_allowed', message)
}

/**
 * The platform takes no two templates with the same body and footer; the languages of one may say the same, and codes
 * all do. Drafts and rejected templates do not count: whether the platform has such words it alone can tell.
 */
export async function checkSameWords(
  rt: Runtime,
  { accountId, channelId }: Pick<TemplateChannel, 'accountId' | 'channelId'>,
  content: TemplateContent,
  input: Pick<TemplateInput, 'body' | 'components'>,
): Promise<FieldProblem[]> {
  if (content.category === 'authentication') return []
  const body = findComponent(content, 'body')?.text ?? ''
  const owner = { account_id: accountId, channel_id: channelId }
  const rows = await rt.store.read(findTemplatesSaying, { ...owner, name: content.name, body: body.toLowerCase() })
  const twin = rows.map(fromRow).find((other) => wordsOf(other) === wordsOf(content))
  if (!twin) return []
  const message = `The template ${twin.name} (${twin.language}) has the same body and footer; Meta does not accept a second one.`
  return [bodyProblem(fieldOfBody(input), 'duplicate', message)]
}

function wordsOf(content: TemplateContent): string {
  return JSON.stringify([findComponent(content, 'body')?.text, findComponent(content, 'footer')?.text])
}

function fieldOfBody({ body, components }: Pick<TemplateInput, 'body' | 'components'>): string {
  if ((body ?? null) !== null) return 'body'
  const index = (components ?? []).findIndex((raw) => /^body$/i.test(String((raw as { type?: unknown } | null)?.type)))
  return index === -1 ? 'components' : `components[${index}].text`
}
