import { isRecord } from '../../lib/is-record.ts'
import { readButton } from './read-button.ts'
import { readVariables } from './read-variables.ts'
import {
  authenticationBody,
  type CarouselCard,
  type Context,
  expiryFooter,
  fail,
  fieldOf,
  isGiven,
  listOf,
  lower,
  type MediaKind,
  type MediaSample,
  type Raw,
  readText,
  refuseOthers,
  type TemplateComponent,
  type TemplateVariable,
} from './template-types.ts'

export type ReadComponent = { component: TemplateComponent; variables: TemplateVariable[] }

/** One component as a caller wrote it, in our form; undefined, with the reason in `problems`, when it cannot be read. */
export function readComponent(raw: unknown, context: Context): ReadComponent | undefined {
  const { place, problems } = context
  if (!isRecord(raw)) return fail(problems, place, 'invalid_type', 'Give an object with a `type`.')
  const type = lower(raw.type)
  const reader = type === undefined ? undefined : readers[type]
  if (!reader)
    return fail(
      problems,
      `${place}.type`,
      'invalid_value',
      'Use header, body, footer, buttons, limited_time_offer or carousel.',
    )
  return reader(raw, context)
}

const readers: Record<string, ((raw: Raw, context: Context) => ReadComponent | undefined) | undefined> = {
  header: readHeader,
  body: readBody,
  footer: readFooter,
  buttons: readButtons,
  limited_time_offer: readOffer,
  carousel: readCarousel,
}

const fields = {
  'A text header': ['type', 'format', 'text', 'variables', 'example'],
  'A media header': ['type', 'format', 'example', 'optional'],
  'A header that a send fills': ['type', 'format'],
  'A body': ['type', 'text', 'variables', 'example', 'add_security_recommendation'],
  'The body of an authentication template': ['type', 'text', 'add_security_recommendation'],
  'A footer': ['type', 'text', 'code_expiration_minutes'],
  'A component of type buttons': ['type', 'buttons'],
  'A carousel': ['type', 'cards'],
  'A limited-time offer': ['type', 'text', 'has_expiration', 'limited_time_offer'],
} as const
const known = [...new Set(Object.values(fields).flat())]

function refuseFields(raw: Raw, what: keyof typeof fields, context: Context): void {
  refuseOthers(raw, { own: fields[what], known, what }, context)
}

function readHeader(raw: Raw, context: Context): ReadComponent | undefined {
  const { place, problems } = context
  const format = lower(raw.format) ?? (isGiven(raw.text) ? 'text' : undefined)
  if (format === 'text') {
    refuseFields(raw, 'A text header', context)
    const text = readText(raw, 'text', context)
    if (text === undefined) return undefined
    const { text: numbered, variables } = readVariables(raw, 'header', text, context)
    return { component: { type: 'header', format, text: numbered }, variables }
  }
  if (format === 'location' || format === 'product') {
    refuseFields(raw, 'A header that a send fills', context)
    return { component: { type: 'header', format }, variables: [] }
  }
  if (!isMediaKind(format)) {
    return fail(problems, `${place}.format`, 'invalid_value', 'Use text, image, video, document, location or product.')
  }
  refuseFields(raw, 'A media header', context)
  const optional = raw.optional === true ? { optional: true as const } : {}
  const example = readSample(raw.example, context) ?? null
  return { component: { type: 'header', format, example, ...optional }, variables: [] }
}

function readBody(raw: Raw, context: Context): ReadComponent | undefined {
  const { place, problems, category } = context
  if (category === 'authentication') {
    refuseFields(raw, 'The body of an authentication template', context)
    const preset = authenticationBody(raw.add_security_recommendation === true)
    if (isGiven(raw.text) && preset.component.type === 'body' && raw.text !== preset.component.text) {
      const message = 'Leave `text` out: Meta writes the body of an authentication template.'
      return fail(problems, fieldOf(place, 'text'), 'invalid_value', message)
    }
    return preset
  }
  refuseFields(raw, 'A body', context)
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
  refuseFields(raw, 'A footer', context)
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
  const component = expiryFooter(minutes)
  if (isGiven(raw.text) && raw.text !== component.text) {
    const message = 'Leave `text` out: Meta writes the footer of an authentication template.'
    return fail(context.problems, `${context.place}.text`, 'mutually_exclusive', message)
  }
  return { component, variables: [] }
}

function readButtons(raw: Raw, context: Context): ReadComponent | undefined {
  const { place, problems } = context
  refuseFields(raw, 'A component of type buttons', context)
  if (!Array.isArray(raw.buttons)) return fail(problems, `${place}.buttons`, 'required', 'Give a list of buttons.')
  const buttons = raw.buttons.map((button: unknown, index) =>
    readButton(button, { ...context, place: `${place}.buttons[${index}]` }),
  )
  // One unreadable button would shift the places of the others, so none is looked at further.
  if (!buttons.every((button) => button !== undefined)) return undefined
  return { component: { type: 'buttons', buttons }, variables: [] }
}

/** In our form, or nested as Meta writes it. */
function readOffer(raw: Raw, context: Context): ReadComponent | undefined {
  refuseFields(raw, 'A limited-time offer', context)
  const isNested = isRecord(raw.limited_time_offer)
  const place = isNested ? `${context.place}.limited_time_offer` : context.place
  const offer = isNested ? (raw.limited_time_offer as Raw) : raw
  const text = readText(offer, 'text', { ...context, place })
  const has_expiration = offer.has_expiration ?? false
  if (typeof has_expiration !== 'boolean') {
    return fail(context.problems, `${place}.has_expiration`, 'invalid_type', 'Give true or false.')
  }
  if (text === undefined) return undefined
  const component = { type: 'limited_time_offer' as const, text, has_expiration }
  return { component, variables: [] }
}

function readCarousel(raw: Raw, context: Context): ReadComponent | undefined {
  const { place, problems } = context
  refuseFields(raw, 'A carousel', context)
  if (!Array.isArray(raw.cards)) return fail(problems, `${place}.cards`, 'required', 'Give a list of cards.')
  const cards = raw.cards.map((card: unknown, index) =>
    readCard(card, { ...context, place: `${place}.cards[${index}]` }),
  )
  if (!cards.every((card) => card !== undefined)) return undefined
  return { component: { type: 'carousel', cards }, variables: [] }
}

const cardParts = ['header', 'body', 'buttons']

function readCard(raw: unknown, context: Context): CarouselCard | undefined {
  const { place, problems } = context
  if (!isRecord(raw) || !Array.isArray(raw.components)) {
    return fail(problems, `${place}.components`, 'required', 'Give the components of the card.')
  }
  const parts = raw.components.map((part: unknown, index) => {
    const at = `${place}.components[${index}]`
    if (!isRecord(part) || cardParts.includes(lower(part.type) ?? ''))
      return readComponent(part, { ...context, place: at })
    return fail(problems, `${at}.type`, 'invalid_value', 'A card has a header, a body and buttons.')
  })
  if (!parts.every((part) => part !== undefined)) return undefined
  return {
    components: parts.map(({ component }) => component),
    variables: parts.flatMap(({ variables }) => variables),
  }
}

const isMediaKind = (format: string | undefined): format is MediaKind =>
  format === 'image' || format === 'video' || format === 'document'

/** The sample of a media header, in one of its forms; undefined where none is given, or it cannot be read. */
function readSample(example: unknown, { place, problems }: Context): MediaSample | undefined {
  const field = `${place}.example`
  if (!isGiven(example)) return undefined
  if (!isRecord(example)) return fail(problems, field, 'invalid_type', 'Give the sample as {"link": "https://…"}.')
  const [form, ...others] = Object.keys(example).filter((key) => isGiven(example[key]))
  if (form === undefined) return undefined
  const unknown = [form, ...others].find((key) => !forms.includes(key))
  if (unknown !== undefined) {
    const message = `There is no field '${unknown.slice(0, 64)}' here. Known: ${forms.join(', ')}.`
    return fail(problems, `${field}.${unknown}`, 'unknown_field', message)
  }
  if (others.length > 0) {
    return fail(problems, field, 'mutually_exclusive', 'Give one sample: a link, a media_id or a handle.')
  }
  const [value, ...more] = form === 'header_handle' ? listOf(example[form]) : [example[form]]
  if (typeof value !== 'string' || value.trim() === '' || more.length > 0) {
    return fail(problems, `${field}.${form}`, 'invalid_type', 'Give one string.')
  }
  if (form === 'media_id') return { media_id: value }
  if (form !== 'link') return { handle: value }
  if (isWebAddress(value)) return { link: value }
  return fail(problems, `${field}.link`, 'invalid_url', 'Give a complete http or https address.')
}

const forms = ['link', 'media_id', 'handle', 'header_handle']

/** A complete http or https address. Whether it can be reached is for others to say. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
