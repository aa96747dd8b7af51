import { invalid, missing } from '../http/errors.ts'
import { type Json, list, record, text } from '../http/json.ts'
import { atMost, checkMediaSource, type MediaLookup, requiredObject, requiredText } from '../templates/rule-helpers.ts'
import {
  checkAddress,
  checkCallPermission,
  checkCarousel,
  checkCatalog,
  checkContactInfo,
  checkFlow,
  checkLink,
  checkProduct,
  checkProductList,
  checkVoiceCall,
  named,
} from './interactive-actions.ts'
import { checkOrderDetails, checkOrderStatus } from './order-rules.ts'
import { checkReplyButtons } from './reply-buttons.ts'

/** Interactive messages: reply buttons, lists, links, products, carousels and the rest. */
export function checkInteractive(content: Json, findMedia: MediaLookup, to?: unknown): void {
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
  rule.action(action, findMedia, to)
}

type Rule = {
  bodyMax: number
  bodyOptional?: boolean
  headers: readonly string[]
  headerRequired?: boolean
  footer?: false
  action: (action: Json, findMedia: MediaLookup, to: unknown) => void
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
  address_message: { bodyMax: 1024, headers: MEDIA_HEADERS, action: checkAddress },
  voice_call: { bodyMax: 1024, headers: MEDIA_HEADERS, action: checkVoiceCall },
  call_permission_request: {
    bodyMax: 1024,
    bodyOptional: true,
    headers: [],
    footer: false,
    action: checkCallPermission,
  },
  request_contact_info: { bodyMax: 1024, headers: [], action: checkContactInfo },
  order_details: { bodyMax: 1024, headers: MEDIA_HEADERS, action: checkOrderDetails },
  order_status: { bodyMax: 1024, headers: MEDIA_HEADERS, action: checkOrderStatus },
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
  checkReplyButtons('reply', action.buttons)
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
