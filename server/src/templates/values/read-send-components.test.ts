import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { readSendComponents } from './read-send-components.ts'

const document: object = JSON.parse(readFileSync(new URL('../../../../docs/api/openapi.json', import.meta.url), 'utf8'))
const ajv = new Ajv2020({ strict: false })
ajv.addSchema(document, 'openapi.json')
const isDocumented = ajv.compile({ $ref: 'openapi.json#/components/schemas/TemplateComponentValues' })

const body = (...parameters: unknown[]) => ({ type: 'body', parameters })
const header = (...parameters: unknown[]) => ({ type: 'header', parameters })
const button = (over: object) => ({ type: 'button', sub_type: 'url', index: 0, ...over })
const carousel = (...cards: unknown[]) => ({ type: 'carousel', cards })
const text = { type: 'text', text: 'Ana' }
const money = (currency: object) =>
  body({ type: 'currency', currency: { code: 'EUR', amount_1000: 42_000, ...currency } })
const image = { link: 'https://files.example.test/a.png' }
const place = { latitude: 38.7, longitude: -9.1 }
const action = (given: object) => button({ sub_type: 'flow', parameters: [{ type: 'action', action: given }] })
const sections = [{ title: 'Ours', product_items: [{ product_retailer_id: 'sku-1' }] }]
const offer = (ms: unknown) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: ms } }],
})

const accepted: [form: string, component: unknown][] = [
  ['a text', body(text)],
  ['a text with the name of its variable', body({ ...text, parameter_name: 'name' })],
  ['the currency form of the specification', money({})],
  ['a negative amount', money({ amount_1000: -1_500 })],
  ['an amount with its own text', money({ fallback_value: 'about 42' })],
  ['a date', body({ type: 'date_time', date_time: { fallback_value: '18 November', year: 2026 } })],
  ['the image form of the specification', header({ type: 'image', image })],
  ['an uploaded file', header({ type: 'video', video: { media_id: 'med_1' } })],
  ["an uploaded file by Meta's name", header({ type: 'document', document: { id: 'med_1', filename: 'a.pdf' } })],
  ['a place', header({ type: 'location', location: { ...place, name: 'Shop', address: null } })],
  ['a place in digits', header({ type: 'location', location: { latitude: '38.7', longitude: '-9.1' } })],
  ['a product', header({ type: 'product', product: { product_retailer_id: 'a', catalog_id: '1' } })],
  ['the button of the specification', button({ parameters: [text] })],
  ['an index in digits', button({ index: '1', parameters: [text] })],
  ['a payload', button({ sub_type: 'quick_reply', parameters: [{ type: 'payload', payload: 'P' }] })],
  ['a coupon', button({ sub_type: 'copy_code', parameters: [{ type: 'coupon_code', coupon_code: 'SAVE' }] })],
  ['a Flow', action({ flow_token: 'T', flow_action_data: { any_key: 1 } })],
  ['products', action({ thumbnail_product_retailer_id: 'a', sections })],
  ['a button without values', button({ sub_type: 'catalog' })],
  ['the end of an offer', offer(1_893_456_000_000)],
  ['cards', carousel({ card_index: 0, components: [body(text), button({})] }, {})],
  ["capital letters, as on Meta's pages", { type: 'BODY', parameters: [{ type: 'TEXT', text: 'Ana' }] }],
  ['capital letters of a button', button({ type: 'BUTTON', sub_type: 'QUICK_REPLY' })],
]

const rejected: [form: string, component: unknown, problem: string][] = [
  ['mixed letters', { type: 'Body' }, 'components[0].type invalid_value'],
  ['an unknown part', { type: 'footer' }, 'components[0].type invalid_value'],
  ['an unknown field', { ...body(text), extra: 1 }, 'components[0].extra unknown_field'],
  ['a button without sub_type', button({ sub_type: null }), 'components[0].sub_type required'],
  ['an unknown sub_type', button({ sub_type: 'order_details' }), 'components[0].sub_type invalid_value'],
  ['a button without index', button({ index: null }), 'components[0].index required'],
  ['a fraction as index', button({ index: 0.5 }), 'components[0].index invalid_value'],
  ['a blank text', body({ type: 'text', text: ' ' }), 'components[0].parameters[0].text too_short'],
  ['a text of another type', body({ type: 'text', text: 5 }), 'components[0].parameters[0].text invalid_type'],
  ['an unknown parameter', body({ type: 'emoji', emoji: 'x' }), 'components[0].parameters[0].type invalid_value'],
  ['a small currency code', money({ code: 'eur' }), 'components[0].parameters[0].currency.code invalid_value'],
  ['a long currency code', money({ code: 'EURO' }), 'components[0].parameters[0].currency.code invalid_value'],
  ['no amount', money({ amount_1000: undefined }), 'components[0].parameters[0].currency.amount_1000 required'],
  [
    'a fraction as amount, though with its own text',
    money({ code: 'ZZZ', amount_1000: 4.2, fallback_value: 'about 42' }),
    'components[0].parameters[0].currency.amount_1000 invalid_value',
  ],
  [
    'a name for a file',
    header({ type: 'image', image, parameter_name: 'a' }),
    'components[0].parameters[0].parameter_name unknown_field',
  ],
  [
    'an unknown field of a date',
    body({ type: 'date_time', date_time: { fallback_value: 'x', era: 1 } }),
    'components[0].parameters[0].date_time.era unknown_field',
  ],
  [
    'a place beyond the pole',
    header({ type: 'location', location: { ...place, latitude: 91 } }),
    'components[0].parameters[0].location.latitude out_of_range',
  ],
  [
    'seconds as the end of an offer',
    offer(1_893_456_000),
    'components[0].parameters[0].limited_time_offer.expiration_time_ms out_of_range',
  ],
  ['no cards', { type: 'carousel' }, 'components[0].cards required'],
  ['cards in cards', carousel({ components: [carousel()] }), 'components[0].cards[0].components[0].type invalid_value'],
]

const problemsOf = (component: unknown) =>
  // What JSON cannot say is not there.
  readSendComponents([JSON.parse(JSON.stringify(component))], 'en').problems.map(
    ({ field, code }) => `${field} ${code}`,
  )

describe('the values of a template', () => {
  test.each(accepted)('%s: documented and accepted', (_, component) => {
    expect([isDocumented(component), problemsOf(component)]).toEqual([true, []])
  })

  test.each(rejected)('%s: not documented and rejected', (_, component, problem) => {
    expect([isDocumented(JSON.parse(JSON.stringify(component))), problemsOf(component)]).toEqual([false, [problem]])
  })
})
