import { invalid, missing } from '../http/errors.ts'
import { isRecord, type Json, list, record, text } from '../http/json.ts'
import {
  atMost,
  checkMediaSource,
  type MediaLookup,
  onlyKeys,
  requiredObject,
  requiredText,
} from '../templates/rule-helpers.ts'
import { checkReplyButtons } from './reply-buttons.ts'

export function checkLink(action: Json): void {
  named('cta_url')(action)
  const parameters = requiredObject('action.parameters', action.parameters)
  onlyKeys('parameters', parameters, ['display_text', 'url'])
  atMost('display_text', requiredText('parameters.display_text', parameters.display_text), 20)
  const url = requiredText('parameters.url', parameters.url)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw invalid("Parameter 'parameters.url' is not a valid URL")
}

export function checkFlow(action: Json): void {
  named('flow')(action)
  const parameters = requiredObject('action.parameters', action.parameters)
  onlyKeys('parameters', parameters, FLOW_PARAMETERS)
  if (parameters.flow_message_version !== '3') throw invalid('flow_message_version must be 3')
  const { flow_id, flow_name, mode = 'published', flow_action = 'navigate' } = parameters
  if (flow_id === undefined && flow_name === undefined) throw missing('flow_id or flow_name')
  if (flow_id !== undefined && flow_name !== undefined) throw invalid('flow_id and flow_name exclude each other')
  const label = requiredText('parameters.flow_cta', parameters.flow_cta)
  atMost('flow_cta', label, 30)
  if (/\p{Extended_Pictographic}/u.test(label)) throw invalid('flow_cta must not contain emoji')
  if (mode !== 'published' && mode !== 'draft') throw invalid('mode must be published or draft')
  if (flow_action !== 'navigate' && flow_action !== 'data_exchange') {
    throw invalid('flow_action must be navigate or data_exchange')
  }
  if (parameters.flow_action_payload === undefined) return
  if (flow_action === 'data_exchange') throw invalid('flow_action_payload is not allowed with data_exchange')
  const payload = requiredObject('parameters.flow_action_payload', parameters.flow_action_payload)
  onlyKeys('flow_action_payload', payload, ['screen', 'data'])
  if (payload.data !== undefined && (!isRecord(payload.data) || Object.keys(payload.data).length === 0)) {
    throw invalid('flow_action_payload.data must be a non-empty object')
  }
}

const FLOW_PARAMETERS = [
  'flow_message_version',
  'flow_id',
  'flow_name',
  'flow_token',
  'flow_cta',
  'mode',
  'flow_action',
  'flow_action_payload',
]

export function checkProduct(action: Json): void {
  requiredText('action.catalog_id', action.catalog_id)
  requiredText('action.product_retailer_id', action.product_retailer_id)
}

export function checkProductList(action: Json): void {
  requiredText('action.catalog_id', action.catalog_id)
  const sections = list(action.sections)
  if (sections.length < 1 || sections.length > 10) throw invalid('A product list needs between 1 and 10 sections')
  for (const section of sections) checkProductSection(record(section), sections.length)
  const products = sections.flatMap((section) => list(record(section).product_items))
  if (products.length < 1 || products.length > 30) throw invalid('A product list needs between 1 and 30 products')
}

function checkProductSection(section: Json, sections: number): void {
  onlyKeys('section', section, ['title', 'product_items'])
  const title = text(section.title) ?? ''
  if (title === '' && sections > 1) throw missing('section.title')
  atMost('section title', title, 24)
  const products = list(section.product_items)
  if (products.length === 0) throw missing('section.product_items')
  for (const product of products) requiredText('product_retailer_id', record(product).product_retailer_id)
}

export function checkCatalog(action: Json): void {
  named('catalog_message')(action)
  if (action.parameters === undefined) return
  const parameters = requiredObject('action.parameters', action.parameters)
  onlyKeys('parameters', parameters, ['thumbnail_product_retailer_id'])
  const thumbnail = parameters.thumbnail_product_retailer_id
  if (thumbnail !== undefined) requiredText('parameters.thumbnail_product_retailer_id', thumbnail)
}

export function checkCarousel(action: Json, findMedia: MediaLookup): void {
  onlyKeys('action', action, ['cards'])
  const cards = list(action.cards).map(record)
  if (cards.length < 2 || cards.length > 10) throw invalid('A carousel needs between 2 and 10 cards')
  const forms = new Set(cards.map((card, index) => checkCard(card, index, findMedia)))
  if (forms.size > 1) throw invalid('All cards must have the same type, kind of header, number of buttons and catalog')
}

/** The form of the card, which all cards have in common. */
function checkCard(card: Json, index: number, findMedia: MediaLookup): string {
  if (card.card_index !== index) throw invalid('card_index must count from 0')
  if (card.type === 'product') {
    onlyKeys('card', card, ['card_index', 'type', 'action'])
    const action = requiredObject('card.action', card.action)
    onlyKeys('card.action', action, ['catalog_id', 'product_retailer_id'])
    checkProduct(action)
    return `product of ${String(action.catalog_id)}`
  }
  onlyKeys('card', card, ['card_index', 'type', 'header', 'body', 'action'])
  if (card.type !== 'cta_url') throw invalid('card.type must be cta_url or product')
  const header = requiredObject('card.header', card.header)
  const kind = requiredText('card.header.type', header.type)
  if (kind !== 'image' && kind !== 'video') throw invalid('A card header is an image or a video')
  checkMediaSource(kind, requiredObject(`card.header.${kind}`, header[kind]), findMedia)
  const body = text(record(card.body).text) ?? ''
  atMost('card body', body, 160)
  if (body.split('\n').length > 3) throw invalid('A card body has at most 2 line breaks')
  const action = requiredObject('card.action', card.action)
  if (action.buttons === undefined) checkLink(action)
  else checkReplyButtons('quick_reply', action.buttons)
  return `${kind} ${list(action.buttons).length}`
}

/** For customers in India alone; a number of another country gets no form. */
export function checkAddress(action: Json, _findMedia: MediaLookup, to: unknown): void {
  named('address_message')(action)
  const parameters = requiredObject('action.parameters', action.parameters)
  onlyKeys('parameters', parameters, ['country', 'values', 'saved_addresses', 'validation_errors'])
  if (requiredText('parameters.country', parameters.country) !== 'IN') throw invalid('country must be IN')
  if (typeof to === 'string' && !/^\+?91/.test(to)) throw invalid('The number is not of the country of the address')
  checkAddressValues('values', parameters.values)
  checkAddressValues('validation_errors', parameters.validation_errors)
  for (const saved of list(parameters.saved_addresses).map(record)) {
    onlyKeys('saved_addresses', saved, ['id', 'value'])
    requiredText('saved_addresses.id', saved.id)
    checkAddressValues('saved_addresses.value', requiredObject('saved_addresses.value', saved.value))
  }
}

function checkAddressValues(where: string, values: unknown): void {
  if (values === undefined) return
  const fields = requiredObject(where, values)
  onlyKeys(where, fields, ADDRESS_FIELDS)
  for (const value of Object.values(fields)) if (typeof value !== 'string') throw invalid(`${where} must be texts`)
  if (where !== 'validation_errors') atMost('in_pin_code', text(fields.in_pin_code) ?? '', 6)
}

const ADDRESS_FIELDS = [
  'name',
  'phone_number',
  'in_pin_code',
  'house_number',
  'floor_number',
  'tower_number',
  'building_name',
  'address',
  'landmark_area',
  'city',
  'state',
]

export function checkCallPermission(action: Json): void {
  onlyKeys('action', action, ['name'])
  named('call_permission_request')(action)
}

export function checkVoiceCall(action: Json): void {
  onlyKeys('action', action, ['name', 'parameters'])
  named('voice_call')(action)
  if (action.parameters === undefined) return
  const parameters = requiredObject('action.parameters', action.parameters)
  onlyKeys('parameters', parameters, ['display_text', 'ttl_minutes', 'payload'])
  if (parameters.display_text !== undefined) {
    atMost('display_text', requiredText('parameters.display_text', parameters.display_text), 20)
  }
  const { ttl_minutes: ttl } = parameters
  if (ttl !== undefined && !(Number.isInteger(ttl) && Number(ttl) >= 1 && Number(ttl) <= 43_200)) {
    throw invalid('ttl_minutes lies between 1 and 43200')
  }
}

export function checkContactInfo(action: Json): void {
  onlyKeys('action', action, ['name'])
  named('request_contact_info')(action)
}

export function named(name: string): (action: Json) => void {
  return (action) => {
    if (requiredText('action.name', action.name) !== name) throw invalid(`action.name must be ${name}`)
  }
}
