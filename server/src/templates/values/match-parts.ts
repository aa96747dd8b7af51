import { bodyProblem, type FieldProblem } from '../../contract/schema.ts'
import {
  findComponent,
  type HeaderComponent,
  offerCodeCharactersMax,
  type TemplateContent,
  type TemplateVariable,
  variablesOf,
} from '../content/template-types.ts'
import { type ButtonParameter, matchButtons, withCodeButton } from './match-buttons.ts'
import type { GivenParameter, TextValue } from './read-parameters.ts'
import type { GivenComponents, GivenPart } from './read-send-components.ts'
import { type FilledWith, type RenderedTemplate, renderTemplate } from './render-template.ts'
import { type Matched, mismatch, type SendParameter, type SendPart } from './send-components.ts'

type MatchedParts = { components: SendPart[]; rendered: RenderedTemplate; problems: FieldProblem[] }

/** Fits values to header, body, offer and buttons: those of a template, or of one card. */
export function matchParts(template: TemplateContent, read: GivenComponents, bodyMax: number): MatchedParts {
  const given = withCodeButton(template, read)
  const header = matchHeader(template, given.header)
  const body = matchBody(template, given.body)
  const offer = matchOffer(template, given.limited_time_offer)
  const buttons = matchButtons(template, given.buttons)
  const code = checkOfferCode(template, buttons.values)
  const problems = [...header.problems, ...body.problems, ...offer.problems, ...buttons.problems, ...code]
  const rendered = renderTemplate(template, {
    header: textsOf(header.parameters),
    body: textsOf(body.parameters),
    buttons: buttons.values,
    media: mediaOf(header.parameters),
    offerEnd: endOf(offer.parameters),
  })
  const parts: SendPart[] = [
    { type: 'header', parameters: header.parameters },
    { type: 'body', parameters: body.parameters },
    { type: 'limited_time_offer', parameters: offer.parameters },
    ...buttons.components,
  ]
  return {
    components: parts.filter(({ type, parameters }) => type === 'button' || parameters.length > 0),
    rendered,
    problems: problems.length > 0 ? problems : checkLengths(rendered, bodyMax),
  }
}

function matchHeader(template: TemplateContent, given: GivenPart | null): Matched {
  const header = findComponent(template, 'header')
  const parameters = given?.parameters ?? []
  const place = given?.place ?? 'components'
  if (!header) {
    if (parameters.length === 0) return { parameters: [], problems: [] }
    return mismatch(`${place}.parameters`, 'too_many_items', 'The template has no header.')
  }
  if (header.format === 'text') return matchTexts(template, 'header', given)
  return matchFilled(header, parameters, place)
}

/** A header that takes one file, or one place. */
function matchFilled(
  header: Exclude<HeaderComponent, { format: 'text' }>,
  given: GivenParameter[],
  place: string,
): Matched {
  const wanted = header.format === 'other' ? header.platform_format : header.format
  const [first, second] = given
  // A preview shows such a template without its header; a send is refused before (findUnsupportedPart).
  if (header.format === 'other' && !first) return { parameters: [], problems: [] }
  const article = wanted === 'image' ? 'an' : 'a'
  if (!first) {
    if ('optional' in header && header.optional) return { parameters: [], problems: [] }
    return mismatch(place, 'required', `header needs ${article} ${wanted}, got none`)
  }
  if (second) return mismatch(second.place, 'too_many_items', `header needs 1 ${wanted}, got ${given.length}`)
  const { value } = first
  if (value.type !== wanted || !('media' in value || value.type === 'location' || value.type === 'product')) {
    const message = `header needs ${article} ${wanted}, got ${value.type}`
    return mismatch(`${first.place}.type`, 'invalid_value', message)
  }
  return { parameters: [value], problems: [] }
}

function matchBody(template: TemplateContent, given: GivenPart | null): Matched {
  const matched = matchTexts(template, 'body', given)
  if (template.category !== 'authentication' || matched.problems.length > 0) return matched
  const [code] = textsOf(matched.parameters)
  if (code === undefined || Array.from(code).length <= 15) return matched
  return mismatch(given?.place ?? 'components', 'too_long', 'A code has at most 15 characters.')
}

function matchTexts(template: TemplateContent, component: 'header' | 'body', given: GivenPart | null): Matched {
  const variables = variablesOf(template, component)
  const parameters = given?.parameters ?? []
  const field = given ? `${given.place}.parameters` : 'components'
  if (parameters.length !== variables.length) {
    const code = parameters.length < variables.length ? 'required' : 'too_many_items'
    return mismatch(field, code, countMessage(component, variables, parameters.length))
  }
  const ordered = inOrder(parameters, variables)
  if (!ordered) {
    const message = `Give either every \`parameter_name\` of ${component} once (${namesOf(variables)}) or none`
    return mismatch(field, 'invalid_value', message)
  }
  const allowed = component === 'body' ? ['text', 'currency', 'date_time'] : ['text']
  const wrong = ordered.filter(({ value }) => !allowed.includes(value.type))
  const problems = wrong.map(({ place, value }) =>
    bodyProblem(`${place}.type`, 'invalid_value', `${component} takes ${allowed.join(', ')}, got ${value.type}`),
  )
  const sent = ordered.flatMap(({ value }, index) =>
    'text' in value ? [textParameter(value, nameFor(template, variables[index]))] : [],
  )
  return { parameters: sent, problems }
}

/** By position, or by name where names are given; undefined when the names are not exactly those of the template. */
function inOrder(parameters: GivenParameter[], variables: TemplateVariable[]): GivenParameter[] | undefined {
  if (parameters.every(({ name }) => name === null)) return parameters
  const ordered = variables.flatMap(({ name }) => parameters.find((parameter) => parameter.name === name) ?? [])
  const whole = ordered.length === parameters.length && ordered.every(({ name }) => name !== null)
  return whole && new Set(ordered).size === ordered.length ? ordered : undefined
}

function nameFor(template: TemplateContent, variable: TemplateVariable | undefined): { parameter_name?: string } {
  return template.parameter_format === 'named' && variable?.name ? { parameter_name: variable.name } : {}
}

function textParameter(value: TextValue, name: { parameter_name?: string }): SendParameter {
  if (value.type === 'text') return { type: 'text', ...name, text: value.text }
  if (value.type === 'date_time') return { type: 'date_time', ...name, date_time: { fallback_value: value.text } }
  const { code, amount_1000, text } = value
  return { type: 'currency', ...name, currency: { fallback_value: text, code, amount_1000 } }
}

function countMessage(component: string, variables: TemplateVariable[], got: number): string {
  if (variables.length === 0) return `${component} takes no values, got ${got}`
  const values = variables.length === 1 ? 'value' : 'values'
  return `${component} needs ${variables.length} ${values} (${namesOf(variables)}), got ${got}`
}

function namesOf(variables: readonly TemplateVariable[]): string {
  return variables.map(({ name, position }) => name ?? `{{${position}}}`).join(', ')
}

function checkLengths({ header, text }: RenderedTemplate, bodyMax: number): FieldProblem[] {
  const parts = [
    { what: 'body', text, charactersMax: bodyMax },
    { what: 'header', text: header?.kind === 'text' ? header.text : '', charactersMax: 60 },
  ]
  return parts.flatMap(({ what, text, charactersMax }) => {
    const characters = Array.from(text).length
    if (characters <= charactersMax) return []
    const message = `${what} has ${characters} characters with these values, at most ${charactersMax} are allowed`
    return [bodyProblem('components', 'too_long', message)]
  })
}

function textsOf(parameters: readonly SendParameter[]): string[] {
  return parameters.flatMap((parameter) => {
    if (parameter.type === 'text') return [parameter.text]
    if (parameter.type === 'currency') return [parameter.currency.fallback_value]
    return parameter.type === 'date_time' ? [parameter.date_time.fallback_value] : []
  })
}

function endOf([parameter]: readonly SendParameter[]): number | null {
  return parameter?.type === 'limited_time_offer' ? parameter.limited_time_offer.expiration_time_ms : null
}

function mediaOf([parameter]: readonly SendParameter[]): FilledWith | null {
  if (parameter?.type === 'product') return { kind: 'product', ...parameter.product }
  if (parameter?.type === 'location') return { kind: 'location', ...parameter.location }
  return parameter && 'media' in parameter ? { kind: parameter.type, ...parameter.media } : null
}

/** The end of a limited-time offer. One that does not count down may go without; Meta decides. */
function matchOffer(template: TemplateContent, given: GivenPart | null): Matched {
  const offer = findComponent(template, 'limited_time_offer')
  const [first, second] = given?.parameters ?? []
  const place = given?.place ?? 'components'
  if (!offer) {
    return given ? mismatch(place, 'too_many_items', 'The template has no limited-time offer.') : noOffer
  }
  if (!first) return offer.has_expiration ? mismatch(place, 'required', 'limited_time_offer needs its end') : noOffer
  if (second) return mismatch(second.place, 'too_many_items', 'limited_time_offer needs 1 value')
  const { value } = first
  if (value.type === 'limited_time_offer') return { parameters: [value], problems: [] }
  const message = `limited_time_offer needs a limited_time_offer value, got ${value.type}`
  return mismatch(`${first.place}.type`, 'invalid_value', message)
}

const noOffer: Matched = { parameters: [], problems: [] }

/** The code of an offer is shorter than that of other coupons. */
function checkOfferCode(template: TemplateContent, values: ReadonlyMap<number, ButtonParameter>): FieldProblem[] {
  if (!findComponent(template, 'limited_time_offer')) return []
  const isLong = [...values.values()].some(
    (value) => value.type === 'coupon_code' && Array.from(value.coupon_code).length > offerCodeCharactersMax,
  )
  const message = `The code of an offer has at most ${offerCodeCharactersMax} characters`
  return isLong ? [bodyProblem('components', 'too_long', message)] : []
}
