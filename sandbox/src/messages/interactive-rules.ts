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

/** Interactive messages: reply buttons, lists, links, products, carousels and the rest. */
export function checkInteractive(content: Json, findMedia: MediaLookup): void {
  const type = requiredText('interactive.type', content.type)
  const rule = RULES[type]
  if (rule === undefined) throw invalid(`Interactive type "${type}" is not valid`)
  const action = requiredObject('interactive.action', content.action)
  checkBody(content, rule)
  checkHeader(content.header, rule, findMedia)
  if (content.footer !== undefined) {
    if (rule.footer === false) throw invalid(`A footer is not allowed with interactive type ${type}`)
    atMost("interactive['footer']['text']", requiredText('interactive.footer.text', record(content.footer).text), 60)
  }
  rule.action(action, findMedia)
}

type Rule = {
  bodyMax: number
  bodyOptional?: boolean
  headers: readonly string[]
  headerRequired?: boolean
  footer?: false
  action: (action: Json, findMedia: MediaLookup) => void
}

const MEDIA_HEADERS = ['text', 'image', 'video', 'document'] as const

const RULES: Record<string, Rule> = {
  button: { bodyMax: 1024, headers: MEDIA_HEADERS, action: checkButtons },
  list: { bodyMax: 4096, headers: ['text'], action: checkList },
  cta_url: { bodyMax: 1024, headers: MEDIA_HEADERS, action: checkLink },
  flow: { bodyMax: 1024, headers: MEDIA_HEADERS, action: checkFlow },
  location_request_message: { bodyMax: 1024, headers: [], footer: false, action: named('send_location') },
  product: { bodyMax: 1024, bodyOptional: true, headers: [], action: checkProduct },
  product_list: { bodyMax: 1024, headers: ['text'], headerRequired: true, action: checkProductList },
  catalog_message: { bodyMax: 1024, headers: [], action: checkCatalog },
  carousel: { bodyMax: 1024, headers: [], footer: false, action: checkCarousel },
  address_message: { bodyMax: 1024, headers: MEDIA_HEADERS, action: named('address_message') },
  voice_call: { bodyMax: 1024, headers: MEDIA_HEADERS, action: checkVoiceCall },
  call_permission_request: { bodyMax: 1024, headers: [], action: named('call_permission_request') },
  request_contact_info: { bodyMax: 1024, headers: [], action: named('request_contact_info') },
  order_details: { bodyMax: 1024, headers: MEDIA_HEADERS, action: named('review_and_pay') },
  order_status: { bodyMax: 1024, headers: MEDIA_HEADERS, action: named('review_order') },
}

function checkBody(content: Json, rule: Rule): void {
  if (content.body === undefined && rule.bodyOptional) return
  const body = requiredText('interactive.body.text', record(content.body).text)
  atMost("interactive['body']['text']", body, rule.bodyMax)
}

function checkHeader(header: unknown, rule: Rule, findMedia: MediaLookup): void {
  if (header === undefined) {
    if (rule.headerRequired) throw missing('interactive.header')
    return
  }
  const type = requiredText('interactive.header.type', record(header).type)
  if (!rule.headers.includes(type)) throw invalid(`A header of type ${type} is not allowed here`)
  const value = record(header)[type]
  if (type === 'text') atMost("interactive['header']['text']", requiredText('interactive.header.text', value), 60)
  else checkMediaSource(type, requiredObject(`interactive.header.${type}`, value), findMedia)
}

function checkButtons(action: Json): void {
  const buttons = list(action.buttons)
  if (buttons.length < 1 || buttons.length > 3) {
    throw invalid('Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: 3')
  }
  const ids = new Set<string>()
  const titles = new Set<string>()
  for (const button of buttons) {
    if (record(button).type !== 'reply') throw invalid('Button type must be reply')
    const reply = requiredObject('button.reply', record(button).reply)
    const id = requiredText('button.reply.id', reply.id)
    const title = requiredText('button.reply.title', reply.title)
    atMost('button reply id', id, 256)
    atMost('button reply title', title, 20)
    if (id !== id.trim()) throw invalid('Button reply id must not start or end with a space')
    if (ids.has(id) || titles.has(title)) throw invalid('Duplicated button reply id or title')
    ids.add(id)
    titles.add(title)
  }
}

function checkList(action: Json): void {
  atMost("action['button']", requiredText('action.button', action.button), 20)
  const sections = list(action.sections)
  if (sections.length < 1 || sections.length > 10) throw invalid('A list needs between 1 and 10 sections')
  const ids = new Set<string>()
  for (const section of sections) {
    const title = text(record(section).title) ?? ''
    if (title === '' && sections.length > 1) throw missing('section.title')
    atMost('section title', title, 24)
    const rows = list(record(section).rows)
    if (rows.length === 0) throw missing('section.rows')
    for (const row of rows) checkRow(record(row), ids)
  }
  if (ids.size > 10) throw invalid('Total row count exceeds the maximum allowed: 10')
}

function checkRow(row: Json, ids: Set<string>): void {
  const id = requiredText('row.id', row.id)
  atMost('row id', id, 200)
  atMost('row title', requiredText('row.title', row.title), 24)
  atMost('row description', text(row.description) ?? '', 72)
  if (ids.has(id)) throw invalid('Duplicated row id')
  ids.add(id)
}

function checkLink(action: Json): void {
  named('cta_url')(action)
  const parameters = requiredObject('action.parameters', action.parameters)
  onlyKeys('parameters', parameters, ['display_text', 'url'])
  atMost('display_text', requiredText('parameters.display_text', parameters.display_text), 20)
  const url = requiredText('parameters.url', parameters.url)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw invalid("Parameter 'parameters.url' is not a valid URL")
}

function checkFlow(action: Json): void {
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

function checkProduct(action: Json): void {
  requiredText('action.catalog_id', action.catalog_id)
  requiredText('action.product_retailer_id', action.product_retailer_id)
}

function checkProductList(action: Json): void {
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

function checkCatalog(action: Json): void {
  named('catalog_message')(action)
  const parameters = requiredObject('action.parameters', action.parameters)
  onlyKeys('parameters', parameters, ['thumbnail_product_retailer_id'])
  requiredText('parameters.thumbnail_product_retailer_id', parameters.thumbnail_product_retailer_id)
}

function checkCarousel(action: Json, findMedia: MediaLookup): void {
  const cards = list(action.cards).map(record)
  if (cards.length < 2 || cards.length > 10) throw invalid('A carousel needs between 2 and 10 cards')
  const kinds = new Set<string>()
  for (const [index, card] of cards.entries()) {
    if (card.card_index !== undefined && card.card_index !== index) throw invalid('card_index must count from 0')
    if (card.type !== 'cta_url') continue
    const header = requiredObject('card.header', card.header)
    const kind = requiredText('card.header.type', header.type)
    if (kind !== 'image' && kind !== 'video') throw invalid('A card header is an image or a video')
    checkMediaSource(kind, requiredObject(`card.header.${kind}`, header[kind]), findMedia)
    kinds.add(kind)
    atMost('card body', text(record(card.body).text) ?? '', 160)
    checkLink(requiredObject('card.action', card.action))
  }
  if (kinds.size > 1) throw invalid('All cards must have the same kind of header')
}

function checkVoiceCall(action: Json): void {
  named('voice_call')(action)
  const parameters = record(action.parameters)
  atMost('display_text', text(parameters.display_text) ?? '', 20)
  if (typeof parameters.ttl_minutes === 'number' && parameters.ttl_minutes > 43_200) {
    throw invalid('ttl_minutes must be at most 43200')
  }
}

function named(name: string): (action: Json) => void {
  return (action) => {
    if (requiredText('action.name', action.name) !== name) throw invalid(`action.name must be ${name}`)
  }
}
