import type { FieldCode, FieldProblem } from '../contract/field-codes.ts'
import { numberPlaceholders } from './placeholders.ts'
import type {
  FooterComponent,
  MediaKind,
  MediaSample,
  TemplateButton,
  TemplateCategory,
  TemplateComponent,
  TemplateVariable,
} from './template-types.ts'

export type ReadComponent = { component: TemplateComponent; variables: TemplateVariable[] }
type Raw = Record<string, unknown>
type Context = { place: string; category: TemplateCategory; problems: FieldProblem[] }

/** One component as a caller wrote it, in our form; undefined, with the reason in `problems`, when it cannot be read. */
export function readComponent(raw: unknown, context: Context): ReadComponent | undefined {
  const { place, problems } = context
  if (!isObject(raw)) return fail(problems, place, 'invalid_type', 'Give an object with a `type`.')
  const type = lower(raw.type)
  const reader = type === undefined ? undefined : readers[type]
  if (!type || !reader) {
    return fail(problems, `${place}.type`, 'invalid_value', 'Use header, body, footer or buttons.')
  }
  refuseUnknown(raw, keys[type] ?? [], place, problems)
  return reader(raw, context)
}

const keys: Record<string, readonly string[]> = {
  header: ['type', 'format', 'text', 'variables', 'example', 'optional'],
  body: ['type', 'text', 'variables', 'example', 'add_security_recommendation'],
  footer: ['type', 'text', 'code_expiration_minutes'],
  buttons: ['type', 'buttons'],
  button: ['type', 'text', 'url', 'phone_number', 'example', 'otp_type', 'optional'],
}

const readers: Record<string, ((raw: Raw, context: Context) => ReadComponent | undefined) | undefined> = {
  header: readHeader,
  body: readBody,
  footer: readFooter,
  buttons: readButtons,
}

function readHeader(raw: Raw, context: Context): ReadComponent | undefined {
  const { place, problems } = context
  const format = lower(raw.format) ?? (isGiven(raw.text) ? 'text' : undefined)
  if (format === 'text') {
    const text = readText(raw, 'text', context)
    if (text === undefined) return undefined
    const { text: numbered, variables } = readVariables(raw, 'header', text, context)
    return { component: { type: 'header', format, text: numbered }, variables }
  }
  if (!isMediaKind(format)) {
    return fail(problems, `${place}.format`, 'invalid_value', 'Use text, image, video or document.')
  }
  const optional = raw.optional === true ? { optional: true as const } : {}
  return { component: { type: 'header', format, example: readSample(raw.example), ...optional }, variables: [] }
}

function readSample(example: unknown): MediaSample | null {
  if (!isObject(example)) return null
  if (typeof example.link === 'string') return { link: example.link }
  if (typeof example.media_id === 'string') return { media_id: example.media_id }
  const handle = typeof example.handle === 'string' ? example.handle : listOf(example.header_handle)[0]
  return typeof handle === 'string' ? { handle } : null
}

/** The platform writes the text of an authentication template itself, in each language; this is its English form. */
export function authenticationBody(withSecurityAdvice: boolean): ReadComponent {
  const advice = withSecurityAdvice ? ' For your security, do not share this code.' : ''
  return {
    component: {
      type: 'body',
      text: `{{1}} is your verification code.${advice}`,
      add_security_recommendation: withSecurityAdvice,
    },
    variables: [{ component: 'body', position: 1, name: 'code', example: '123456' }],
  }
}

function readBody(raw: Raw, context: Context): ReadComponent | undefined {
  const { place, problems, category } = context
  if (category === 'authentication') {
    const preset = authenticationBody(raw.add_security_recommendation === true)
    if (isGiven(raw.text) && preset.component.type === 'body' && raw.text !== preset.component.text) {
      const message = 'Leave `text` out: the platform writes the body of an authentication template.'
      return fail(problems, fieldOf(place, 'text'), 'invalid_value', message)
    }
    return preset
  }
  if (isGiven(raw.add_security_recommendation)) {
    const message = 'Only authentication templates have a security recommendation.'
    return fail(problems, `${place}.add_security_recommendation`, 'invalid_value', message)
  }
  const text = readText(raw, 'text', context)
  if (text === undefined) return undefined
  const { text: numbered, variables } = readVariables(raw, 'body', text, context)
  return { component: { type: 'body', text: numbered }, variables }
}

function readFooter(raw: Raw, context: Context): ReadComponent | undefined {
  const minutes = raw.code_expiration_minutes
  const field = `${context.place}.code_expiration_minutes`
  if (!isGiven(minutes)) {
    const text = readText(raw, 'text', context)
    return text === undefined ? undefined : { component: { type: 'footer', text }, variables: [] }
  }
  if (context.category !== 'authentication') {
    return fail(context.problems, field, 'invalid_value', 'Only authentication templates have a code that expires.')
  }
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < 1 || minutes > 90) {
    return fail(context.problems, field, 'out_of_range', 'Give 1 to 90 minutes.')
  }
  return { component: expiryFooter(minutes), variables: [] }
}

/** The platform writes this text too; this is its English form. */
export function expiryFooter(minutes: number): FooterComponent {
  return { type: 'footer', text: `This code expires in ${minutes} minutes.`, code_expiration_minutes: minutes }
}

function readButtons(raw: Raw, context: Context): ReadComponent | undefined {
  const { place, problems } = context
  if (!Array.isArray(raw.buttons)) return fail(problems, `${place}.buttons`, 'required', 'Give a list of buttons.')
  const buttons = raw.buttons.map((button: unknown, index) =>
    readButton(button, { ...context, place: `${place}.buttons[${index}]` }),
  )
  // One unreadable button would shift the places of the others, so none is looked at further.
  if (!buttons.every((button) => button !== undefined)) return undefined
  return { component: { type: 'buttons', buttons }, variables: [] }
}

function readButton(raw: unknown, context: Context): TemplateButton | undefined {
  const { place, problems, category } = context
  if (!isObject(raw)) return fail(problems, place, 'invalid_type', 'Give an object with `type` and `text`.')
  refuseUnknown(raw, keys.button ?? [], place, problems)
  const type = lower(raw.type)
  if (type === 'otp' && category === 'authentication') {
    const text = typeof raw.text === 'string' ? raw.text : 'Copy code'
    return { type, otp_type: lower(raw.otp_type) ?? 'copy_code', text }
  }
  if (type !== 'quick_reply' && type !== 'url' && type !== 'phone_number') {
    return fail(problems, `${place}.type`, 'invalid_value', 'Use quick_reply, url or phone_number.')
  }
  const text = readText(raw, 'text', context)
  if (text === undefined) return undefined
  if (type === 'quick_reply') return { type, text }
  if (type === 'phone_number') {
    const phone_number = readText(raw, 'phone_number', context)
    return phone_number === undefined ? undefined : { type, text, phone_number }
  }
  const url = readText(raw, 'url', context)
  if (url === undefined) return undefined
  const [example] = listOf(raw.example)
  return {
    type,
    text,
    url: numberPlaceholders(url).text,
    ...(typeof example === 'string' ? { example } : {}),
    ...(raw.optional === true ? { optional: true as const } : {}),
  }
}

type Described = { name: string | null; example: string | null }

function readVariables(raw: Raw, component: TemplateVariable['component'], text: string, context: Context) {
  const { place, problems } = context
  const { text: numbered, names, named } = numberPlaceholders(text)
  const described = readDescribed(raw, component, context)
  if (described.length > names.length) {
    const message = `The text has ${names.length} placeholders, ${described.length} are described.`
    problems.push({ field: `${place}.variables`, location: 'body', code: 'too_many_items', message })
  }
  const byName = named && described.some((variable) => variable.name !== null)
  const variables = names.map((name, index): TemplateVariable => {
    const found = byName ? described.find((variable) => variable.name === name) : described[index]
    return { component, position: index + 1, name: name ?? found?.name ?? null, example: found?.example ?? null }
  })
  return { text: numbered, variables }
}

/** Names and examples, from our `variables` or from one of the platform's forms of `example`. */
function readDescribed(raw: Raw, component: 'header' | 'body', { place, problems }: Context): Described[] {
  if (isGiven(raw.variables)) {
    if (Array.isArray(raw.variables)) return raw.variables.map(describedOf)
    problems.push({
      field: `${place}.variables`,
      location: 'body',
      code: 'invalid_type',
      message: 'Give a list such as [{"name": "order_id", "example": "A-1001"}].',
    })
    return []
  }
  if (!isObject(raw.example)) return []
  const named = listOf(raw.example[`${component}_text_named_params`])
  if (named.length > 0) return named.map(describedOf)
  // `body_text` is a list in a list, one inner list for each sample of the whole text.
  const [first, ...rest] = listOf(raw.example[`${component}_text`])
  return (Array.isArray(first) ? first : first === undefined ? [] : [first, ...rest]).map(describedOf)
}

function describedOf(raw: unknown): Described {
  if (typeof raw === 'string') return { name: null, example: blankAsNull(raw) }
  if (!isObject(raw)) return { name: null, example: null }
  const name = raw.name ?? raw.param_name
  return { name: typeof name === 'string' ? blankAsNull(name) : null, example: blankAsNull(raw.example) }
}

function blankAsNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function readText(raw: Raw, key: string, { place, problems }: Context): string | undefined {
  const value = raw[key]
  const field = fieldOf(place, key)
  if (!isGiven(value)) return fail(problems, field, 'required', `Give \`${key}\`.`)
  return typeof value === 'string' ? value : fail(problems, field, 'invalid_type', 'Give a string.')
}

/** Place of a body that was given as the top-level string: itself the field, it has no inner `text`. */
export const bodyShorthand = 'body'

export function fieldOf(place: string, key: string): string {
  return place === bodyShorthand ? place : `${place}.${key}`
}

function refuseUnknown(raw: Raw, known: readonly string[], place: string, problems: FieldProblem[]): void {
  for (const key of Object.keys(raw).filter((key) => !known.includes(key))) {
    fail(problems, `${place}.${key}`, 'unknown_field', `There is no such field here. Known: ${known.join(', ')}.`)
  }
}

function fail(problems: FieldProblem[], field: string, code: FieldCode, message: string): undefined {
  problems.push({ field, location: 'body', code, message })
}

const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : undefined)
const isGiven = (value: unknown) => value !== undefined && value !== null
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isGiven(value) ? [value] : [])
const isMediaKind = (format: string | undefined): format is MediaKind =>
  format === 'image' || format === 'video' || format === 'document'

function isObject(value: unknown): value is Raw {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
