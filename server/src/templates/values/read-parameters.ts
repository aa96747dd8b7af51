import {
  type ButtonAction,
  dateTimeIgnored,
  type Place,
  type Product,
  type ProductSection,
} from '../../contract/template-values.ts'
import { isRecord } from '../../lib/is-record.ts'
import { currencyText, isCurrencyCode } from '../content/currency-text.ts'
import { isWebAddress } from '../content/read-component.ts'
import { couponCharactersMax, isGiven, type MediaKind } from '../content/template-types.ts'
import { requireObject, requireText, Unreadable, wordOf } from './unreadable.ts'

export type MediaSource = { link: string; filename?: string } | { media_id: string; filename?: string }
/** `text` is what the customer reads in the place of the variable. */
export type TextValue =
  | { type: 'text'; text: string }
  | { type: 'currency'; text: string; code: string; amount_1000: number }
  | { type: 'date_time'; text: string }
export type GivenValue =
  | TextValue
  | { type: MediaKind; media: MediaSource }
  | { type: 'location'; location: Place }
  | { type: 'payload'; payload: string }
  | { type: 'coupon_code'; coupon_code: string }
  | { type: 'product'; product: Product }
  | { type: 'action'; action: ButtonAction }
  | { type: 'limited_time_offer'; limited_time_offer: { expiration_time_ms: number } }
export type GivenParameter = { place: string; name: string | null; value: GivenValue }

/** The values of one component, in the forms that Meta documents. */
export function readParameters(given: unknown, place: string, language: string): GivenParameter[] {
  if (!Array.isArray(given)) throw new Unreadable(`${place}.parameters`, 'invalid_type', 'Give a list of parameters.')
  return given.map((raw: unknown, index) => readParameter(raw, `${place}.parameters[${index}]`, language))
}

const parameterTypes = [
  'text',
  'currency',
  'date_time',
  'image',
  'document',
  'video',
  'location',
  'product',
  'payload',
  'coupon_code',
  'action',
  'limited_time_offer',
] as const
type ParameterType = (typeof parameterTypes)[number]
/** Only texts have variables with names. */
const nameable: readonly ParameterType[] = ['text', 'currency', 'date_time']

function readParameter(given: unknown, place: string, language: string): GivenParameter {
  const named = typeof given === 'object' && given !== null && 'type' in given ? given.type : undefined
  const type = parameterTypes.find((known) => known === wordOf(named))
  if (!type) throw new Unreadable(`${place}.type`, 'invalid_value', `Use ${parameterTypes.join(', ')}.`)
  const raw = requireObject(given, place, ['type', ...(nameable.includes(type) ? ['parameter_name'] : []), type])
  const name = isGiven(raw.parameter_name) ? requireText(raw.parameter_name, `${place}.parameter_name`) : null
  return { place, name, value: readValue(type, raw[type], `${place}.${type}`, language) }
}

function readValue(type: ParameterType, raw: unknown, place: string, language: string): GivenValue {
  if (!isGiven(raw)) throw new Unreadable(place, 'required', `Give \`${type}\`.`)
  if (type === 'text') return { type, text: requireLine(raw, place) }
  if (type === 'payload') return { type, payload: requireText(raw, place) }
  if (type === 'coupon_code') return { type, coupon_code: readCoupon(raw, place) }
  if (type === 'location') return { type, location: readPlace(raw, place) }
  if (type === 'product') return { type, product: readProduct(raw, place) }
  if (type === 'action') return { type, action: readAction(raw, place) }
  if (type === 'limited_time_offer') return { type, limited_time_offer: readExpiry(raw, place) }
  if (type === 'currency') return readCurrency(raw, place, language)
  if (type === 'date_time') return readDateTime(raw, place)
  return { type, media: readMedia(raw, place, type) }
}

/** WhatsApp refuses such values, with a code that names no field. Line breaks belong into the template itself. */
function requireLine(raw: unknown, place: string): string {
  const text = requireText(raw, place)
  if (/[\r\n\t]| {5}/.test(text)) {
    throw new Unreadable(place, 'invalid_format', 'Write no line break, no tab and no more than 4 spaces in a row.')
  }
  return text
}

function readCoupon(raw: unknown, place: string): string {
  const code = requireLine(raw, place)
  if (Array.from(code).length <= couponCharactersMax) return code
  throw new Unreadable(place, 'too_long', `A coupon code has at most ${couponCharactersMax} characters.`)
}

function readPlace(given: unknown, place: string): Place {
  const raw = requireObject(given, place, ['latitude', 'longitude', 'name', 'address'])
  return {
    latitude: requireDegrees(raw.latitude, `${place}.latitude`, 90),
    longitude: requireDegrees(raw.longitude, `${place}.longitude`, 180),
    ...(isGiven(raw.name) ? { name: requireLine(raw.name, `${place}.name`) } : {}),
    ...(isGiven(raw.address) ? { address: requireLine(raw.address, `${place}.address`) } : {}),
  }
}

/** Meta's pages write degrees as strings. */
function requireDegrees(given: unknown, field: string, most: number): number {
  const message = `Give decimal degrees between -${most} and ${most}.`
  if (!isGiven(given) || given === '') throw new Unreadable(field, 'required', message)
  const isNumeric = typeof given === 'number' || (typeof given === 'string' && /^-?\d+(\.\d+)?$/.test(given.trim()))
  if (!isNumeric) throw new Unreadable(field, 'invalid_type', message)
  const degrees = Number(given)
  if (!(Math.abs(degrees) <= most)) throw new Unreadable(field, 'out_of_range', message)
  return degrees
}

/** 13 digits until the year 2286: fewer are seconds. */
function readExpiry(given: unknown, place: string): { expiration_time_ms: number } {
  const { expiration_time_ms: ms } = requireObject(given, place, ['expiration_time_ms'])
  const field = `${place}.expiration_time_ms`
  const message = 'Give the end of the offer in milliseconds since 1970, for example 1798675200000.'
  if (!isGiven(ms)) throw new Unreadable(field, 'required', message)
  if (typeof ms !== 'number' || !Number.isInteger(ms)) throw new Unreadable(field, 'invalid_type', message)
  if (ms < 1e12 || ms >= 1e13) throw new Unreadable(field, 'out_of_range', message)
  return { expiration_time_ms: ms }
}

function readCurrency(given: unknown, place: string, language: string): TextValue {
  const raw = requireObject(given, place, ['code', 'amount_1000', 'fallback_value'])
  const code = requireText(raw.code, `${place}.code`)
  const amount_1000 = raw.amount_1000
  if (typeof amount_1000 !== 'number') {
    const field = `${place}.amount_1000`
    const message = 'Give the amount times 1000 as an integer: 42.00 is 42000.'
    throw new Unreadable(field, isGiven(amount_1000) ? 'invalid_type' : 'required', message)
  }
  const formatted = currencyText({ code, amount_1000 }, language)
  const fallback = isGiven(raw.fallback_value) ? requireLine(raw.fallback_value, `${place}.fallback_value`) : null
  // With its own text a code need only look like one: new currencies appear before every runtime knows them.
  const acceptable = formatted.ok || (fallback !== null && formatted.field === 'code' && isCurrencyCode(code))
  if (!acceptable) throw new Unreadable(`${place}.${formatted.field}`, formatted.code, formatted.message)
  const text = fallback ?? (formatted.ok ? formatted.text : code)
  return { type: 'currency', text, code, amount_1000 }
}

function readDateTime(given: unknown, place: string): TextValue {
  const raw = requireObject(given, place, ['fallback_value', ...dateTimeIgnored])
  return { type: 'date_time', text: requireLine(raw.fallback_value, `${place}.fallback_value`) }
}

function readMedia(given: unknown, place: string, kind: MediaKind): MediaSource {
  const sources = ['link', 'media_id', 'id']
  const raw = requireObject(given, place, kind === 'document' ? [...sources, 'filename'] : sources)
  if (sources.filter((source) => isGiven(raw[source])).length > 1) {
    throw new Unreadable(place, 'mutually_exclusive', 'Give either `link` or `media_id`, not both.')
  }
  const filename = isGiven(raw.filename) ? { filename: requireText(raw.filename, `${place}.filename`) } : {}
  if (isGiven(raw.media_id)) return { media_id: requireText(raw.media_id, `${place}.media_id`), ...filename }
  if (isGiven(raw.id)) return { media_id: requireOwnId(raw.id, `${place}.id`), ...filename }
  if (!isGiven(raw.link)) throw new Unreadable(place, 'one_of_required', 'Give `link` or `media_id`.')
  const link = requireText(raw.link, `${place}.link`)
  if (!isWebAddress(link)) {
    throw new Unreadable(`${place}.link`, 'invalid_url', 'Give a complete http or https address.')
  }
  return { link, ...filename }
}

/** `id` is Meta's name for `media_id`. Meta's own ids are digits; they expire, and belong to one number. */
function requireOwnId(given: unknown, field: string): string {
  const id = requireText(given, field)
  if (!/^\d+$/.test(id)) return id
  const message = 'This is an id of Meta. Upload the file with POST /v1/chat/media and give the id of its response.'
  throw new Unreadable(field, 'invalid_value', message)
}

/** The values of a Flow or product button; `matchButtons` checks the fields. */
function readAction(given: unknown, place: string): ButtonAction {
  const keys = ['flow_token', 'flow_action_data', 'thumbnail_product_retailer_id', 'sections']
  const {
    flow_token,
    flow_action_data,
    thumbnail_product_retailer_id: thumbnail,
    sections,
  } = requireObject(given, place, keys)
  if (isGiven(flow_action_data) && !isRecord(flow_action_data)) {
    throw new Unreadable(`${place}.flow_action_data`, 'invalid_type', 'Give an object.')
  }
  return {
    ...(isGiven(flow_token) ? { flow_token: requireText(flow_token, `${place}.flow_token`) } : {}),
    ...(isRecord(flow_action_data) ? { flow_action_data } : {}),
    ...(isGiven(thumbnail)
      ? { thumbnail_product_retailer_id: requireText(thumbnail, `${place}.thumbnail_product_retailer_id`) }
      : {}),
    ...(isGiven(sections) ? { sections: readSections(sections, `${place}.sections`) } : {}),
  }
}

function readProduct(given: unknown, place: string): Product {
  const { product_retailer_id, catalog_id } = requireObject(given, place, ['product_retailer_id', 'catalog_id'])
  return {
    product_retailer_id: requireText(product_retailer_id, `${place}.product_retailer_id`),
    catalog_id: requireText(catalog_id, `${place}.catalog_id`),
  }
}

const sectionsMax = 10
const productsMax = 30
const titleCharactersMax = 24

function readSections(given: unknown, place: string): ProductSection[] {
  const sections = requireList(given, place, `Give 1 to ${sectionsMax} sections.`)
  if (sections.length > sectionsMax) {
    throw new Unreadable(place, 'too_many_items', `A message has at most ${sectionsMax} sections.`)
  }
  const read = sections.map((section, index) => readSection(section, `${place}[${index}]`))
  const products = read.reduce((sum, { product_items }) => sum + product_items.length, 0)
  if (products <= productsMax) return read
  throw new Unreadable(place, 'too_many_items', `A message has at most ${productsMax} products, this has ${products}.`)
}

function readSection(given: unknown, place: string): ProductSection {
  const raw = requireObject(given, place, ['title', 'product_items'])
  const title = requireText(raw.title, `${place}.title`)
  if (Array.from(title).length > titleCharactersMax) {
    throw new Unreadable(`${place}.title`, 'too_long', `A title has at most ${titleCharactersMax} characters.`)
  }
  const field = `${place}.product_items`
  const product_items = requireList(raw.product_items, field, 'Give at least one product.').map((item, index) => {
    const { product_retailer_id } = requireObject(item, `${field}[${index}]`, ['product_retailer_id'])
    return { product_retailer_id: requireText(product_retailer_id, `${field}[${index}].product_retailer_id`) }
  })
  return { title, product_items }
}

function requireList(given: unknown, field: string, message: string): unknown[] {
  if (!Array.isArray(given)) throw new Unreadable(field, isGiven(given) ? 'invalid_type' : 'required', message)
  if (given.length === 0) throw new Unreadable(field, 'too_short', message)
  return given
}
