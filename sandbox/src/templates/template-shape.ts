import { type Json, list, record, text } from '../http/json.ts'
import type { Template } from '../world.ts'

/** What a send must fill in, worked out once per version of a template. */
export type TemplateShape = {
  header: { format: string; variables: string[]; optional: boolean } | null
  /** `pieces` are the text between the slots, one more than `slots`. */
  body: { pieces: string[]; slots: string[]; variables: string[] }
  footer: string | null
  buttons: { type: string; text: string; needsParameter: boolean; optional: boolean }[]
  cards: TemplateShape[]
  offer: { hasExpiration: boolean } | null
}

const shapes = new WeakMap<Json[], TemplateShape>()

export function shapeOf(template: Template): TemplateShape {
  const components = template.approvedComponents ?? template.components
  let shape = shapes.get(components)
  if (shape === undefined) {
    shape = readShape(components)
    shapes.set(components, shape)
  }
  return shape
}

/** `{{1}}` or `{{first_name}}`, in order of appearance, each once. */
export function variablesIn(source: string): string[] {
  const names = [...source.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)].map((match) => match[1] ?? '')
  return [...new Set(names)]
}

function readShape(components: Json[]): TemplateShape {
  const of = (type: string) => components.find((component) => upper(component.type) === type)
  const body = text(of('BODY')?.text) ?? ''
  const preset = of('BODY')?.add_security_recommendation !== undefined || isOtp(of('BUTTONS'))
  const cards = list(of('CAROUSEL')?.cards).map((card) => readShape(list(record(card).components).map(record)))
  return {
    header: readHeader(of('HEADER')),
    body: readBody(preset && body === '' ? AUTHENTICATION_BODY : body),
    footer: text(of('FOOTER')?.text) ?? null,
    buttons: list(of('BUTTONS')?.buttons).map((button) => readButton(record(button))),
    cards,
    offer: readOffer(of('LIMITED_TIME_OFFER')),
  }
}

/** The text of an authentication template is the platform's own. */
const AUTHENTICATION_BODY = '*{{1}}* is your verification code.'

function readBody(source: string): TemplateShape['body'] {
  // Splitting by a pattern with one group gives text and names in turn.
  const parts = source.split(/\{\{\s*([^{}]*?)\s*\}\}/)
  const slots = parts.filter((_, index) => index % 2 === 1)
  return { pieces: parts.filter((_, index) => index % 2 === 0), slots, variables: [...new Set(slots)] }
}

function isOtp(buttons: Json | undefined): boolean {
  return list(buttons?.buttons).some((button) => upper(record(button).type) === 'OTP')
}

function readHeader(header: Json | undefined): TemplateShape['header'] {
  if (header === undefined) return null
  const format = upper(header.format) || 'TEXT'
  return { format, variables: variablesIn(text(header.text) ?? ''), optional: header.optional === true }
}

function readOffer(component: Json | undefined): TemplateShape['offer'] {
  if (component === undefined) return null
  return { hasExpiration: record(component.limited_time_offer).has_expiration === true }
}

function readButton(button: Json): TemplateShape['buttons'][number] {
  const type = upper(button.type)
  // A one-time-password button becomes a URL button whose suffix is the code.
  const needsParameter =
    ['OTP', 'COPY_CODE', 'MPM'].includes(type) || (type === 'URL' && variablesIn(text(button.url) ?? '').length > 0)
  return { type, text: text(button.text) ?? '', needsParameter, optional: button.optional === true }
}

function upper(value: unknown): string {
  return typeof value === 'string' ? value.toUpperCase() : ''
}
