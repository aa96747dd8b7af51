import { AppError } from '../../contract/app-error.ts'
import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import { placeholdersIn, withoutPlaceholders } from '../../lib/text/placeholders.ts'
import { normaliseTemplate } from '../content/normalise-template.ts'
import {
  type BodyComponent,
  bodyShorthand,
  type CarouselComponent,
  type ChannelKind,
  type FooterComponent,
  fieldOf,
  findComponent,
  type HeaderComponent,
  sendTtlSeconds,
  type TemplateComponent,
  type TemplateContent,
  type TemplateInput,
  variablesOf,
} from '../content/template-types.ts'
import { checkButtons } from './check-buttons.ts'
import { checkCarousel, checkOffer, checkProducts } from './check-parts.ts'
import { checkDensity, checkLength, checkPositions, checkSequence, checkTokens, type Placed } from './check-text.ts'

/**
 * Every rule of the channel that a template breaks, in one list: here a mistake costs a second, at the platform a review
 * of up to a day. `places` says where each component stood in the request.
 */
export function checkTemplate(template: TemplateContent, places?: readonly string[]): FieldProblem[] {
  const placed = template.components.map((component, index) => ({
    component,
    place: places?.[index] ?? `components[${index}]`,
  }))
  return [
    ...checkName(template.name),
    ...checkTtl(template),
    ...checkShape(template, placed),
    ...placed.flatMap(({ component, place }) => checkComponent(template, component, place)),
  ]
}

export function checkTtl({ category, message_send_ttl_seconds }: TemplateContent): FieldProblem[] {
  const seconds = message_send_ttl_seconds ?? null
  const { least, most } = sendTtlSeconds[category]
  if (seconds === null || (seconds >= least && seconds <= most)) return []
  const isThirtyDays = seconds === -1 && category !== 'marketing'
  const message = `Meta tries to deliver ${category} templates for ${least} to ${most} seconds.`
  return isThirtyDays ? [] : [bodyProblem('message_send_ttl_seconds', 'out_of_range', message)]
}

function checkName(name: string): FieldProblem[] {
  if (name === '') return [bodyProblem('name', 'required', 'Give the template a name, for example order_ready.')]
  if (name.length > 512) return [bodyProblem('name', 'too_long', 'A name has at most 512 characters.')]
  if (/^[a-z0-9_]+$/.test(name)) return []
  const suggestion = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const hint = suggestion ? `, for example ${suggestion.slice(0, 64)}` : ''
  return [bodyProblem('name', 'invalid_format', `Use only lower-case letters a-z, digits and underscores${hint}.`)]
}

function checkShape(template: TemplateContent, placed: readonly Placed[]): FieldProblem[] {
  const repeated = placed.filter(
    ({ component }, index) => placed.findIndex((other) => other.component.type === component.type) < index,
  )
  const authentication = template.category === 'authentication'
  return [
    ...(findComponent(template, 'body') ? [] : [bodyProblem('components', 'required', 'A template needs a body.')]),
    ...repeated.map(({ component, place }) =>
      bodyProblem(place, 'duplicate', `A template has at most one component of type ${component.type}.`),
    ),
    ...(authentication ? checkAuthentication(placed) : []),
    ...checkOffer(template, placed),
    ...checkProducts(template, placed),
    ...checkCarousel(template, placed),
  ]
}

/** The platform fixes its form: preset body, at most an expiry below it, exactly one button that copies the code. */
function checkAuthentication(placed: readonly Placed[]): FieldProblem[] {
  return placed.flatMap(({ component, place }) => {
    if (component.type === 'header') {
      return [bodyProblem(place, 'invalid_value', 'An authentication template has no header.')]
    }
    if (component.type === 'footer' && component.code_expiration_minutes === undefined) {
      return [
        bodyProblem(place, 'invalid_value', 'Its footer has only `code_expiration_minutes`; Meta writes the text.'),
      ]
    }
    const fixed =
      component.type !== 'buttons' || (component.buttons.length === 1 && component.buttons[0]?.type === 'otp')
    return fixed
      ? []
      : [bodyProblem(place, 'invalid_value', 'An authentication template has exactly one button, of type otp.')]
  })
}

function checkComponent(template: TemplateContent, component: TemplateComponent, place: string): FieldProblem[] {
  if (component.type === 'header') return checkHeader(template, component, place)
  // The preset text begins with its variable; the rules are for texts that people write.
  if (component.type === 'body')
    return template.category === 'authentication' ? [] : checkBody(template, component, place)
  if (component.type === 'footer') return checkFooter(component, place)
  if (component.type === 'carousel') return checkCards(template, component, place)
  return component.type === 'buttons' ? checkButtons(component.buttons, place) : []
}

/** Each part of a card by the rules of that part. */
function checkCards(template: TemplateContent, { cards }: CarouselComponent, place: string): FieldProblem[] {
  return cards.flatMap((card, index) =>
    card.components.flatMap((component, at) =>
      checkComponent({ ...template, ...card }, component, `${place}.cards[${index}].components[${at}]`),
    ),
  )
}

function checkHeader(template: TemplateContent, header: HeaderComponent, place: string): FieldProblem[] {
  if (header.format === 'other' || header.format === 'location' || header.format === 'product') return []
  if (header.format !== 'text') {
    const message = `Give a sample ${header.format} for the review: {"example": {"link": "https://…"}}.`
    return header.example ? [] : [bodyProblem(`${place}.example`, 'required', message)]
  }
  const field = `${place}.text`
  const placeholders = placeholdersIn(header.text)
  return [
    ...checkLength(header.text, field, 'A header', 60),
    ...checkTokens(header.text, field),
    ...checkPlain(header.text, field),
    ...(placeholders.length > 1 ? [bodyProblem(field, 'too_many_items', 'A header has at most one variable.')] : []),
    ...(placeholders.length === 1 ? checkSequence(placeholders, field) : []),
    ...checkExamples(template, 'header', place),
  ]
}

function checkBody(template: TemplateContent, body: BodyComponent, place: string): FieldProblem[] {
  const field = fieldOf(place, 'text')
  const tokens = checkTokens(body.text, field)
  const placeholders = placeholdersIn(body.text)
  return [
    ...checkLength(body.text, field, 'A body', bodyCharactersMax(template)),
    ...tokens,
    ...(tokens.length === 0 ? checkSequence(placeholders, field) : []),
    ...checkPositions(body.text, placeholders, field),
    ...checkDensity(body.text, placeholders.length, field),
    ...checkExamples(template, 'body', place),
  ]
}

function bodyCharactersMax(template: TemplateContent): number {
  const header = findComponent(template, 'header')
  if (header?.format === 'product') return 160
  return findComponent(template, 'limited_time_offer') ? 600 : 1024
}

function checkFooter(footer: FooterComponent, place: string): FieldProblem[] {
  const field = `${place}.text`
  const variables = placeholdersIn(footer.text).length > 0
  return [
    ...checkLength(footer.text, field, 'A footer', 60),
    ...(variables ? [bodyProblem(field, 'invalid_value', 'A footer has no variables; move them to the body.')] : []),
  ]
}

/** Meta's words: no "new lines, formatting characters, emojis or asterisks". Names of variables may have underscores. */
function checkPlain(text: string, field: string): FieldProblem[] {
  const isMarked = /[\n*~`]|(?:^|\s)_\S(?:.*\S)?_(?:\s|$)|\p{Extended_Pictographic}/u.test(withoutPlaceholders(text))
  if (!isMarked) return []
  return [bodyProblem(field, 'invalid_format', 'A header has no line breaks, no emoji and no marks such as *bold*.')]
}

function checkExamples(template: TemplateContent, component: 'header' | 'body', place: string): FieldProblem[] {
  const lacking = variablesOf(template, component).filter(({ example }) => example === null)
  if (lacking.length === 0) return []
  const named = lacking.map(({ position, name }) => name ?? `{{${position}}}`).join(', ')
  const message = `Give an example for every variable; missing: ${named}.`
  const example = variablesOf(template, component).map((variable) => ({
    name: variable.name ?? `value_${variable.position}`,
    example: variable.example ?? `Sample ${variable.position}`,
  }))
  const field = place === bodyShorthand ? 'components' : `${place}.variables`
  return [{ ...bodyProblem(field, 'required', message), example }]
}

/** Converts a request into a template for the platform, or rejects it with all problems. */
export function writeContent(input: TemplateInput, channelKind: ChannelKind): TemplateContent {
  const { template, places, problems: unreadable } = normaliseTemplate(input, channelKind)
  // Parts that could not be read are missing from the template; rules about the whole would only confuse.
  refuseProblems(unreadable.length > 0 ? unreadable : checkTemplate(template, places))
  return template
}

/** One refusal for everything that is wrong, if anything is. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const [first, ...rest] = problems
  if (!first) return
  const more = rest.length > 0 ? ` And ${rest.length} more; see details.` : ''
  throw new AppError('template_invalid', `${first.message}${more}`, { details: problems.slice(0, 20) })
}
