import { graphError, managementError } from '../http/errors.ts'
import { type Json, lengthOf, list, looseList, record, text } from '../http/json.ts'
import { checkTemplateButtons } from './template-button-rules.ts'
import {
  bodyProblem,
  checkCarousel,
  checkOffer,
  checkProducts,
  footerProblem,
  headerProblem,
} from './template-part-rules.ts'
import { variablesIn } from './template-shape.ts'

export type Draft = {
  name: string
  language: string
  category: string
  parameterFormat: 'POSITIONAL' | 'NAMED'
  components: Json[]
  ttlSeconds: number | null
}

/** Reads and checks a template as the platform does at creation. */
export function readDraft(params: Json): Draft {
  const name = text(params.name) ?? ''
  if (!/^[a-z0-9_]{1,512}$/.test(name)) {
    throw graphError(100, undefined, {
      message: '(#100) Param name must be lower-case letters, digits and underscores, at most 512',
    })
  }
  const language = text(params.language) ?? ''
  if (!/^[a-z]{2,3}(_[A-Z]{2})?$/.test(language)) {
    throw graphError(100, undefined, { message: '(#100) Param language must be a supported language code' })
  }
  const category = (text(params.category) ?? '').toUpperCase()
  if (!['MARKETING', 'UTILITY', 'AUTHENTICATION'].includes(category)) {
    throw graphError(100, undefined, {
      message: '(#100) Param category must be one of {UTILITY, MARKETING, AUTHENTICATION}',
    })
  }
  const format = (text(params.parameter_format) ?? 'POSITIONAL').toUpperCase()
  if (format !== 'POSITIONAL' && format !== 'NAMED') {
    throw graphError(100, undefined, { message: '(#100) Param parameter_format must be one of {POSITIONAL, NAMED}' })
  }
  const components = readComponents(params.components)
  checkComponents(components, category, format)
  return { name, language, category, parameterFormat: format, components, ttlSeconds: readTtl(params, category) }
}

/** Types may be written in either case; they are kept in upper case. */
export function readComponents(value: unknown): Json[] {
  const given = typeof value === 'string' ? looseJsonList(value) : list(value)
  return given.map((item) => {
    const component = { ...record(item) }
    component.type = String(component.type ?? '').toUpperCase()
    if (typeof component.format === 'string') component.format = component.format.toUpperCase()
    if (Array.isArray(component.buttons)) {
      component.buttons = component.buttons.map((button) => ({
        ...record(button),
        type: String(record(button).type ?? '').toUpperCase(),
      }))
    }
    return component
  })
}

function looseJsonList(value: string): unknown[] {
  try {
    return list(JSON.parse(value))
  } catch {
    return looseList(value)
  }
}

export function checkComponents(components: Json[], category: string, format: string): void {
  const of = (type: string) => components.filter((component) => component.type === type)
  for (const component of components) {
    if (!COMPONENT_TYPES.includes(String(component.type))) {
      throw graphError(100, undefined, { message: `(#100) Component type ${String(component.type)} is not valid` })
    }
    if (of(String(component.type)).length > 1) throw bodyProblem(`There is more than one ${String(component.type)}.`)
  }
  const [body] = of('BODY')
  if (category === 'AUTHENTICATION') checkAuthentication(components)
  else if (body === undefined) throw bodyProblem('The body is missing.')
  else checkBody(body, format, bodyMax(components))
  if (of('HEADER')[0]) checkHeader(record(of('HEADER')[0]), format)
  if (of('FOOTER')[0] && category !== 'AUTHENTICATION') checkFooter(record(of('FOOTER')[0]))
  if (of('BUTTONS')[0]) checkTemplateButtons(list(of('BUTTONS')[0]?.buttons).map(record), category)
  checkProducts(components, category)
  if (of('LIMITED_TIME_OFFER')[0]) checkOffer(components, category)
  if (of('CAROUSEL')[0]) {
    const cards = cardsOf(components)
    checkCarousel(components, cards, category)
    for (const card of cards) checkCard(card, format)
  }
}

const COMPONENT_TYPES = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'CAROUSEL', 'LIMITED_TIME_OFFER']

function bodyMax(components: Json[]): number {
  if (components.some(({ type, format }) => type === 'HEADER' && format === 'PRODUCT')) return 160
  return components.some(({ type }) => type === 'LIMITED_TIME_OFFER') ? 600 : 1024
}

function checkBody(body: Json, format: string, most: number): void {
  const source = text(body.text) ?? ''
  if (source === '') throw bodyProblem('The body has no text.')
  if (lengthOf(source) > most) {
    throw managementError(2388040, 'Character limit exceeded', `The body may hold ${most} characters.`)
  }
  const variables = variablesIn(source)
  checkVariableNames(variables, format, bodyProblem)
  const trimmed = source.trim()
  if (trimmed.startsWith('{{') || trimmed.endsWith('}}')) {
    throw managementError(2388299, 'Variable at start or end', 'The body may not start or end with a variable.')
  }
  if (/\}\}\s*\{\{/.test(source)) throw bodyProblem('Two variables may not stand beside each other.')
  // The platform does not publish its ratio; fewer words than variables is refused here.
  const words = source.replace(/\{\{[^{}]*\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  if (variables.length > 0 && words < variables.length) {
    throw managementError(2388293, 'Too many variables', 'There are too many variables for the length of the body.')
  }
  checkExamples(variables, record(body.example), format, 'body')
}

function checkVariableNames(variables: string[], format: string, problem: (reason: string) => Error): void {
  for (const [index, name] of variables.entries()) {
    if (format === 'NAMED' ? !/^[a-z][a-z0-9_]*$/.test(name) : name !== String(index + 1)) {
      throw problem(`The variable {{${name}}} is malformed or out of order.`)
    }
  }
}

/** Positional samples: `body_text: [["a","b"]]`, `header_text: ["x"]`. Named: `*_named_params: [{param_name, example}]`. */
function checkExamples(variables: string[], example: Json, format: string, where: 'body' | 'header'): void {
  if (variables.length === 0) return
  const problem = where === 'body' ? bodyProblem : headerProblem
  if (format === 'NAMED') {
    const named = list(example[`${where}_text_named_params`]).map(record)
    const covered = variables.every((name) => named.some((item) => item.param_name === name && text(item.example)))
    if (!covered) throw problem('A sample is missing for a variable.')
    return
  }
  const given = where === 'body' ? list(list(example.body_text)[0]) : list(example.header_text)
  if (given.length !== variables.length) throw problem('The number of samples is not the number of variables.')
}

function checkHeader(header: Json, format: string): void {
  const kind = String(header.format ?? '')
  if (kind === 'TEXT') {
    const source = text(header.text) ?? ''
    if (source === '' || lengthOf(source) > 60) throw headerProblem('A header has between 1 and 60 characters.')
    if (isDecorated(source)) {
      throw headerProblem("Message header can't have any new lines, formatting characters, emojis or asterisks.")
    }
    const variables = variablesIn(source)
    if (variables.length > 1) throw headerProblem('A header has at most one variable.')
    checkVariableNames(variables, format, headerProblem)
    checkExamples(variables, record(header.example), format, 'header')
    return
  }
  if (kind === 'LOCATION' || kind === 'PRODUCT') return
  if (!['IMAGE', 'VIDEO', 'DOCUMENT', 'GIF'].includes(kind)) throw headerProblem(`The format ${kind} is not valid.`)
  const handle = text(list(record(header.example).header_handle)[0]) ?? ''
  if (!/^(4::|https?:\/\/)/.test(handle)) throw headerProblem('A media header needs a sample: example.header_handle.')
}

/** What makes text bold, italic, struck through or monospaced, a line end, or a picture. Names of variables have underscores. */
function isDecorated(source: string): boolean {
  const words = source.replace(/\{\{[^{}]*\}\}/g, ' ')
  return /[\n*~`]|(?:^|\s)_\S(?:.*\S)?_(?:\s|$)|\p{Extended_Pictographic}/u.test(words)
}

function checkFooter(footer: Json): void {
  const source = text(footer.text) ?? ''
  if (source === '' || lengthOf(source) > 60) throw footerProblem('A footer has between 1 and 60 characters.')
  if (variablesIn(source).length > 0) throw footerProblem('A footer has no variables.')
}

function checkAuthentication(components: Json[]): void {
  const body = components.find((component) => component.type === 'BODY')
  if (body?.text !== undefined) throw bodyProblem('The body of an authentication template is preset.')
  const minutes = components.find((component) => component.type === 'FOOTER')?.code_expiration_minutes
  if (minutes !== undefined && !(Number(minutes) >= 1 && Number(minutes) <= 90)) {
    throw footerProblem('code_expiration_minutes lies between 1 and 90.')
  }
}

function checkCard(components: Json[], format: string): void {
  const of = (type: string) => components.find((component) => component.type === type)
  checkHeader(record(of('HEADER')), format)
  if (of('BODY')) checkBody(record(of('BODY')), format, 160)
  if (of('BUTTONS')) checkTemplateButtons(list(of('BUTTONS')?.buttons).map(record), 'MARKETING')
}

function cardsOf(components: Json[]): Json[][] {
  const carousel = components.find((component) => component.type === 'CAROUSEL')
  return list(carousel?.cards).map((card) => readComponents(record(card).components))
}

export function readTtl(params: Json, category: string): number | null {
  if (params.message_send_ttl_seconds === undefined) return null
  const seconds = Number(params.message_send_ttl_seconds)
  const [least, most] = TTL_SECONDS[category] ?? [0, 0]
  const forever = seconds === -1 && category !== 'MARKETING'
  if (!forever && !(Number.isInteger(seconds) && seconds >= least && seconds <= most)) {
    throw graphError(100, undefined, {
      message: `(#100) Param message_send_ttl_seconds must lie between ${least} and ${most}`,
    })
  }
  return seconds
}

const TTL_SECONDS: Record<string, [number, number]> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
}
