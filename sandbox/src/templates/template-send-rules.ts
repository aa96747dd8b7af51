import { graphError, invalid, missing } from '../http/errors.ts'
import { isRecord, type Json, lengthOf, list, record, text } from '../http/json.ts'
import type { Template } from '../world.ts'
import {
  atMost,
  checkLocation,
  checkMediaSource,
  type MediaLookup,
  requiredObject,
  requiredText,
} from './rule-helpers.ts'
import { shapeOf, type TemplateShape } from './template-shape.ts'

type Parameters = Map<string, string>

/** Checks the components of a send against the stored template and returns the text the customer sees. */
export function fillTemplate(template: Template, content: Json, findMedia: MediaLookup): string {
  const shape = shapeOf(template)
  const named = template.parameterFormat === 'NAMED'
  const components = list(content.components).map((component) => requiredObject('template.components', component))
  const filled = fill(shape, components, named, findMedia)
  if (template.category === 'AUTHENTICATION') {
    for (const code of filled.values()) atMost('authentication code', code, 15)
  }
  fillCards(shape, components, named, findMedia)
  checkOffer(shape, components)
  const rendered = render(shape.body, filled)
  if (lengthOf(rendered) > 1024) throw graphError(132005, 'body: translated text is longer than 1024 characters')
  return rendered
}

/** The end is needed where the message counts down to it; a code is shorter than other coupons. */
function checkOffer({ offer }: TemplateShape, components: Json[]): void {
  const of = (type: string) => components.find((component) => lower(component.type) === type)
  const given = of('limited_time_offer')
  if (offer === null) {
    if (given) throw invalid('limited_time_offer: the template has none')
    return
  }
  const value = record(record(list(given?.parameters)[0]).limited_time_offer)
  if (offer.hasExpiration || given) {
    if (typeof value.expiration_time_ms !== 'number') throw missing('limited_time_offer.expiration_time_ms')
  }
  for (const component of components) {
    const code = text(record(list(component.parameters)[0]).coupon_code)
    if (code !== undefined) atMost('coupon_code', code, 15)
  }
}

function fill(shape: TemplateShape, components: Json[], named: boolean, findMedia: MediaLookup): Parameters {
  const headers = components.filter((component) => lower(component.type) === 'header')
  if (headers.length > 1) throw invalid('A template has at most one header')
  for (const component of components) {
    if (!COMPONENT_TYPES.includes(lower(component.type))) {
      throw invalid(`Component type "${String(component.type)}" is not valid`)
    }
  }
  checkHeader(shape, headers[0], named, findMedia)
  const body = components.find((component) => lower(component.type) === 'body')
  const filled = textParameters('body', shape.body.variables, list(body?.parameters), named)
  checkButtons(
    shape,
    components.filter((component) => lower(component.type) === 'button'),
  )
  return filled
}

const COMPONENT_TYPES = ['header', 'body', 'button', 'carousel', 'limited_time_offer', 'tap_target_configuration']

function checkHeader(shape: TemplateShape, given: Json | undefined, named: boolean, findMedia: MediaLookup): void {
  const parameters = list(given?.parameters).map(record)
  const { header } = shape
  if (header === null || header.format === 'TEXT') {
    if (header?.optional && parameters.length === 0) return
    textParameters('header', header?.variables ?? [], parameters, named)
    return
  }
  if (header.optional && parameters.length === 0) return
  const format = header.format.toLowerCase()
  const parameter = parameters[0]
  const type = lower(parameter?.type)
  if (parameters.length > 1) throw countMismatch('header', parameters.length, 1)
  if (type !== format && !(format === 'gif' && type === 'video')) {
    throw graphError(
      132012,
      `header: Format mismatch, expected ${header.format}, received ${type.toUpperCase() || 'UNKNOWN'}`,
    )
  }
  const value = requiredObject(`header.${type}`, parameter?.[type])
  if (type === 'image' || type === 'video' || type === 'document') checkMediaSource(type, value, findMedia)
  if (type === 'document') checkPdf(value, findMedia)
  if (type === 'location') checkLocation('header.location', value)
  if (type === 'product') {
    requiredText('header.product.product_retailer_id', value.product_retailer_id)
    requiredText('header.product.catalog_id', value.catalog_id)
  }
}

/** Of all documents only PDFs are sent in the header of a template. What a link leads to is never looked at. */
function checkPdf(value: Json, findMedia: MediaLookup): void {
  const mimeType = value.id === undefined ? 'application/pdf' : findMedia(String(value.id))?.mimeType
  if (mimeType !== 'application/pdf') {
    throw graphError(132012, `header: Format mismatch, expected a PDF document, received ${mimeType}`)
  }
}

function textParameters(where: string, variables: string[], given: unknown[], named: boolean): Parameters {
  if (given.length !== variables.length) throw countMismatch(where, given.length, variables.length)
  const filled: Parameters = new Map()
  for (const [index, item] of given.entries()) {
    const parameter = requiredObject(`${where} parameter`, item)
    const name = named ? requiredText(`${where}.parameter_name`, parameter.parameter_name) : (variables[index] ?? '')
    if (!variables.includes(name)) throw graphError(132000, `${where}: parameter name (${name}) is not in the template`)
    filled.set(name, parameterText(`${where}[${index}]`, parameter))
  }
  if (filled.size < variables.length) throw countMismatch(where, filled.size, variables.length)
  return filled
}

function parameterText(where: string, parameter: Json): string {
  const type = lower(parameter.type)
  if (type === 'text') {
    const value = requiredText(`${where}.text`, parameter.text)
    if (/[\r\n\t]| {5}/.test(value)) {
      const rule = 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces'
      throw graphError(132018, `${where}.text: ${rule}`)
    }
    return value
  }
  if (type === 'currency') {
    const currency = requiredObject(`${where}.currency`, parameter.currency)
    requiredText(`${where}.currency.code`, currency.code)
    if (typeof currency.amount_1000 !== 'number') throw missing(`${where}.currency.amount_1000`)
    return requiredText(`${where}.currency.fallback_value`, currency.fallback_value)
  }
  if (type === 'date_time') {
    const dateTime = requiredObject(`${where}.date_time`, parameter.date_time)
    return requiredText(`${where}.date_time.fallback_value`, dateTime.fallback_value)
  }
  throw graphError(132012, `${where}: expected a text, currency or date_time parameter, received ${type || 'none'}`)
}

function checkButtons(shape: TemplateShape, given: Json[]): void {
  const sent = new Map<number, Json>()
  for (const component of given) {
    const index = Number(component.index ?? Number.NaN)
    if (!shape.buttons[index]) throw invalid(`buttons: index ${String(component.index)} is not in the template`)
    sent.set(index, component)
  }
  for (const [index, button] of shape.buttons.entries()) {
    const component = sent.get(index)
    if (component !== undefined) checkButton(index, button.type, component)
    else if (button.type === 'FLOW') throw invalid(`Components sub_type invalid at index: ${index} and type: 0`)
    else if (button.needsParameter && !button.optional) {
      throw graphError(131008, `buttons: Button at index ${index} of type ${title(button.type)} requires a parameter`)
    }
  }
}

function checkButton(index: number, type: string, component: Json): void {
  const subType = lower(component.sub_type)
  const expected = type === 'OTP' ? 'url' : type.toLowerCase()
  if (subType !== expected) {
    throw graphError(132012, `buttons: Button at index ${index} is ${expected}, received ${subType || 'no sub_type'}`)
  }
  const parameter = record(list(component.parameters)[0])
  const member = PARAMETER_MEMBERS[subType]
  // A flow button has to be named, but may be named without values; so may that of a catalog.
  const needsNone = (type === 'FLOW' || type === 'CATALOG') && list(component.parameters).length === 0
  if (member === undefined || needsNone) return
  if (lower(parameter.type) !== member.type) {
    throw graphError(132012, `buttons: Button at index ${index} expects a parameter of type ${member.type}`)
  }
  if (member.type === 'action') {
    if (!isRecord(parameter.action)) throw missing(`buttons[${index}].action`)
    if (type === 'MPM') checkSections(index, parameter.action)
    return
  }
  atMost(`buttons[${index}]`, requiredText(`buttons[${index}].${member.type}`, parameter[member.type]), member.most)
}

/** Up to ten sections with a title each, and thirty products in all. */
function checkSections(index: number, action: Json): void {
  const where = `buttons[${index}].action`
  requiredText(`${where}.thumbnail_product_retailer_id`, action.thumbnail_product_retailer_id)
  const sections = list(action.sections).map(record)
  if (sections.length < 1 || sections.length > 10) throw invalid(`${where}: between 1 and 10 sections`)
  const products = sections.flatMap((section) => {
    atMost(`${where}.title`, requiredText(`${where}.title`, section.title), 24)
    return list(section.product_items).map(record)
  })
  if (products.length < 1 || products.length > 30) throw invalid(`${where}: between 1 and 30 products`)
  for (const { product_retailer_id } of products) requiredText(`${where}.product_retailer_id`, product_retailer_id)
}

const PARAMETER_MEMBERS: Record<string, { type: string; most: number }> = {
  quick_reply: { type: 'payload', most: 256 },
  url: { type: 'text', most: 2000 },
  copy_code: { type: 'coupon_code', most: 20 },
  flow: { type: 'action', most: 0 },
  catalog: { type: 'action', most: 0 },
  mpm: { type: 'action', most: 0 },
}

function fillCards(shape: TemplateShape, components: Json[], named: boolean, findMedia: MediaLookup): void {
  const carousel = components.find((component) => lower(component.type) === 'carousel')
  const cards = list(carousel?.cards).map(record)
  // Cards of products are all alike, so a send may have more of them.
  const isOfProducts = shape.cards[0]?.header?.format === 'PRODUCT'
  const fits = isOfProducts ? cards.length >= 2 && cards.length <= 10 : cards.length === shape.cards.length
  if (!fits) throw countMismatch('carousel', cards.length, shape.cards.length)
  for (const [index, card] of cards.entries()) {
    const cardShape = shape.cards[isOfProducts ? 0 : Number(card.card_index ?? index)]
    if (cardShape === undefined) throw invalid(`carousel: card_index ${String(card.card_index)} is not in the template`)
    fill(cardShape, list(card.components).map(record), named, findMedia)
  }
}

function countMismatch(where: string, given: number, expected: number) {
  const details = `${where}: number of localizable_params (${given}) does not match the expected number of params (${expected})`
  return graphError(132000, details)
}

function render({ pieces, slots }: TemplateShape['body'], filled: Parameters): string {
  let rendered = pieces[0] ?? ''
  for (let i = 0; i < slots.length; i++) rendered += (filled.get(slots[i] ?? '') ?? '') + (pieces[i + 1] ?? '')
  return rendered
}

function lower(value: unknown): string {
  return text(value)?.toLowerCase() ?? ''
}

function title(type: string): string {
  return type === 'OTP' ? 'Url' : type.charAt(0) + type.slice(1).toLowerCase()
}
