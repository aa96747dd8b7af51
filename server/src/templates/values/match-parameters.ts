import { AppError } from '../../contract/app-error.ts'
import { bodyProblem, type FieldCode, type FieldProblem } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import {
  cardCharactersMax,
  cardsMax,
  findComponent,
  hasProductCards,
  type TemplateContent,
} from '../content/template-types.ts'
import { requireTemplate } from '../get-template.ts'
import { exampleComponents } from './example-components.ts'
import { matchParts } from './match-parts.ts'
import { type GivenCarousel, readSendComponents } from './read-send-components.ts'
import { type RenderedCard, type RenderedTemplate, renderedCard } from './render-template.ts'
import type { SendComponent } from './send-components.ts'

type MatchResult =
  | { ok: true; components: SendComponent[]; rendered: RenderedTemplate }
  | { ok: false; error: 'validation_failed' | 'template_parameter_mismatch'; problems: FieldProblem[] }

const bodyCharactersMax = 1024

/**
 * Fits the values of a send to the variables of a template, before the platform is asked: its own answer to a mismatch
 * is two numbers. Every problem names the variables, and the first carries a whole `components` to copy.
 */
export function matchParameters(template: TemplateContent, components: unknown): MatchResult {
  const read = readSendComponents(components, template.language)
  if (read.problems.length > 0) return refused('validation_failed', template, read.problems)
  const parts = matchParts(template, read.components, bodyCharactersMax)
  const carousel = matchCarousel(template, read.components.carousel)
  const problems = [...parts.problems, ...carousel.problems]
  if (problems.length > 0) return refused('template_parameter_mismatch', template, problems)
  const { component, cards } = carousel
  return {
    ok: true,
    components: component ? [...parts.components, component] : parts.components,
    rendered: component ? { ...parts.rendered, cards } : parts.rendered,
  }
}

function refused(
  error: 'validation_failed' | 'template_parameter_mismatch',
  template: TemplateContent,
  problems: FieldProblem[],
): MatchResult {
  const [first, ...rest] = problems
  const example = exampleComponents(template)
  return { ok: false, error, problems: first ? [{ ...first, example }, ...rest] : [] }
}

type MatchedCarousel = { component: SendComponent | null; cards: RenderedCard[]; problems: FieldProblem[] }

/** Each card of the template once, in any order. Of products, which are all alike, there may be others than it has. */
function matchCarousel(template: TemplateContent, given: GivenCarousel | null): MatchedCarousel {
  const carousel = findComponent(template, 'carousel')
  const place = given?.place ?? 'components'
  const cards = [...(given?.cards ?? [])].sort((a, b) => a.index - b.index)
  if (!carousel) return given ? wrongCard(place, 'too_many_items', 'The template has no carousel.') : nothing
  const isOfProducts = hasProductCards(carousel)
  const [least, most] = isOfProducts ? [2, cardsMax] : [carousel.cards.length, carousel.cards.length]
  if (cards.length < least || cards.length > most) {
    const code = cards.length < least ? 'required' : 'too_many_items'
    const wanted = least === most ? `${least}` : `${least} to ${most}`
    return wrongCard(`${place}.cards`, code, `carousel needs ${wanted} cards, got ${cards.length}`)
  }
  const misplaced = cards.find(({ index }, at) => index !== at)
  if (misplaced) {
    const message = `Number the cards from 0 to ${cards.length - 1}, each once`
    return wrongCard(`${misplaced.place}.card_index`, 'invalid_value', message)
  }
  const matched = cards.map(({ index, parts }) => {
    const card = carousel.cards[isOfProducts ? 0 : index] ?? { components: [], variables: [] }
    const { components, rendered, problems } = matchParts({ ...template, ...card }, parts, cardCharactersMax)
    const named = problems.map((problem) => ({ ...problem, message: `card ${index}: ${problem.message}` }))
    return { sent: { card_index: index, components }, seen: renderedCard(card, rendered), problems: named }
  })
  return {
    component: { type: 'carousel', cards: matched.map(({ sent }) => sent) },
    cards: matched.map(({ seen }) => seen),
    problems: matched.flatMap(({ problems }) => problems),
  }
}

const nothing: MatchedCarousel = { component: null, cards: [], problems: [] }

function wrongCard(field: string, code: FieldCode, message: string): MatchedCarousel {
  return { ...nothing, problems: [bodyProblem(field, code, message)] }
}

/** The message as a customer would see it; without values, with the examples of the template. */
export async function previewTemplate(
  rt: Runtime,
  accountId: string,
  id: string,
  components: unknown,
): Promise<RenderedTemplate> {
  // As in a send, the form of the values comes before the template they are for.
  const [unreadable] = readSendComponents(components, 'en').problems
  const template = await requireTemplate(rt, accountId, id).catch((error: unknown) => {
    throw unreadable ? new AppError('validation_failed', unreadable.message, { details: [unreadable] }) : error
  })
  const matched = matchParameters(template, components ?? exampleComponents(template))
  if (matched.ok) return matched.rendered
  const [first] = matched.problems
  throw new AppError(matched.error, first?.message ?? 'The values do not match the template.', {
    details: matched.problems,
  })
}
