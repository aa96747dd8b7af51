import { describe, expect, test } from 'vitest'
import { GraphError } from '../http/errors.ts'
import type { Json } from '../http/json.ts'
import { checkInteractive } from './interactive-rules.ts'

/** The code of the refusal; 0 where there is none. */
function codeOf(interactive: Json, to?: unknown): number {
  try {
    checkInteractive(interactive, () => undefined, to)
    return 0
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    return error.code
  }
}

const body = { text: 'Well?' }
const x = (length: number) => 'x'.repeat(length)

const MISSING = 131008
const INVALID = 131009
const UNKNOWN_KEY = 100

describe('a link', () => {
  const link = (over: Json) => {
    const parameters = { display_text: 'Open', url: 'https://a.test', ...over }
    return codeOf({ type: 'cta_url', body, action: { name: 'cta_url', parameters } })
  }

  test.each<[string, Json, number]>([
    ['within its limits is accepted', { display_text: x(20) }, 0],
    ['without a label is refused', { display_text: '' }, MISSING],
    ['with a long label is refused', { display_text: x(21) }, INVALID],
    ['to no web page is refused', { url: 'tel:+1' }, INVALID],
    ['with a misspelt member is refused', { link: 'https://a.test' }, UNKNOWN_KEY],
  ])('%s', (_, over, code) => expect(link(over)).toBe(code))
})

describe('a Flow', () => {
  const flow = (over: Json) => {
    const parameters = { flow_message_version: '3', flow_id: '1', flow_cta: 'Book', ...over }
    return codeOf({ type: 'flow', body, action: { name: 'flow', parameters } })
  }

  test.each<[string, Json, number]>([
    ['with an id is accepted', { flow_cta: x(30), mode: 'draft', flow_token: 't' }, 0],
    ['with a screen and values is accepted', { flow_action_payload: { screen: 'A', data: { a: 1 } } }, 0],
    ['without id and name is refused', { flow_id: undefined }, MISSING],
    ['with id and name is refused', { flow_name: 'booking' }, INVALID],
    ['of another version is refused', { flow_message_version: '2' }, INVALID],
    ['with a long label is refused', { flow_cta: x(31) }, INVALID],
    ['with an emoji on its label is refused', { flow_cta: 'Book 📅' }, INVALID],
    ['of an unknown mode is refused', { mode: 'test' }, INVALID],
    ['with an unknown action is refused', { flow_action: 'open' }, INVALID],
    ['with empty values is refused', { flow_action_payload: { data: {} } }, INVALID],
    [
      'whose endpoint chooses the screen has no screen',
      { flow_action: 'data_exchange', flow_action_payload: { screen: 'A' } },
      INVALID,
    ],
    ['with a misspelt member is refused', { token: 't' }, UNKNOWN_KEY],
  ])('%s', (_, over, code) => expect(flow(over)).toBe(code))
})

describe('products', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => ({ product_retailer_id: `p${index}` }))
  const header = { type: 'text', text: 'Pots' }
  const listOf = (sections: Json[], over: Json = {}) =>
    codeOf({ type: 'product_list', header, body, action: { catalog_id: 'c', sections }, ...over })

  test('are 1 to 30 in 1 to 10 sections, under a header of text', () => {
    expect(listOf([{ product_items: items(30) }])).toBe(0)
    expect(listOf([{ product_items: items(31) }])).toBe(INVALID)
    expect(listOf([])).toBe(INVALID)
    expect(
      listOf([
        { title: 'A', product_items: items(1) },
        { title: 'B', product_items: [] },
      ]),
    ).toBe(MISSING)
    expect(listOf([{ product_items: items(1) }], { header: undefined })).toBe(MISSING)
  })

  test('are in sections with titles where there are several', () => {
    const titled = [
      { title: x(24), product_items: items(1) },
      { title: 'B', product_items: items(1) },
    ]
    expect(listOf(titled)).toBe(0)
    expect(listOf([...titled, { product_items: items(1) }])).toBe(MISSING)
    expect(listOf([{ title: x(25), product_items: items(1) }])).toBe(INVALID)
  })

  test('of a catalog may name one for the picture', () => {
    const catalog = (parameters: Json) =>
      codeOf({ type: 'catalog_message', body, action: { name: 'catalog_message', parameters } })
    expect(catalog({ thumbnail_product_retailer_id: 'p' })).toBe(0)
    expect(catalog({})).toBe(0)
    expect(codeOf({ type: 'catalog_message', body, action: { name: 'catalog_message' } })).toBe(0)
    expect(catalog({ thumbnail_product_retailer_id: 'p', catalog_id: 'c' })).toBe(UNKNOWN_KEY)
  })
})

describe('a carousel', () => {
  const picture = { type: 'image', image: { link: 'https://a.test/a.png' } }
  const opens = { name: 'cta_url', parameters: { display_text: 'Buy', url: 'https://a.test' } }
  const reply = (id: string) => ({ type: 'quick_reply', quick_reply: { id, title: id } })
  const answers = (...ids: string[]) => ({ buttons: ids.map(reply) })
  const card = (index: number, over: Json = {}): Json => {
    return { card_index: index, type: 'cta_url', header: picture, body, action: opens, ...over }
  }
  const cards = (...overs: Json[]) =>
    codeOf({ type: 'carousel', body, action: { cards: overs.map((over, index) => card(index, over)) } })

  test.each<[string, Json[], number]>([
    ['of two cards with links is accepted', [{}, {}], 0],
    ['of ten cards is accepted', Array.from({ length: 10 }, () => ({})), 0],
    ['of cards that answer is accepted', [{ action: answers('a', 'b') }, { action: answers('c', 'd') }], 0],
    ['of cards without words is accepted', [{ body: undefined }, {}], 0],
    ['of one card is refused', [{}], INVALID],
    ['of eleven cards is refused', Array.from({ length: 11 }, () => ({})), INVALID],
    ['with a document is refused', [{ header: { type: 'document' } }, {}], INVALID],
    ['with a card without a file is refused', [{ header: undefined }, {}], MISSING],
    ['of a picture and a video is refused', [{}, { header: { type: 'video', video: picture.image } }], INVALID],
    ['of cards with other buttons is refused', [{}, { action: answers('a') }], INVALID],
    ['of cards with more buttons is refused', [{ action: answers('a') }, { action: answers('b', 'c') }], INVALID],
    ['with long words on a card is refused', [{ body: { text: x(161) } }, {}], INVALID],
    ['with three line breaks on a card is refused', [{ body: { text: 'a\nb\nc\nd' } }, {}], INVALID],
    ['whose cards are not counted from 0 is refused', [{ card_index: 1 }, {}], INVALID],
    ['with a footer on a card is refused', [{ footer: body }, {}], UNKNOWN_KEY],
  ])('%s', (_, overs, code) => expect(cards(...overs)).toBe(code))

  test('of products is accepted', () => {
    const action = { catalog_id: 'c', product_retailer_id: 'p' }
    const products = (...overs: Json[]) => {
      const list = overs.map((over, card_index) => ({ card_index, type: 'product', action, ...over }))
      return codeOf({ type: 'carousel', body, action: { cards: list } })
    }
    expect(products({}, {})).toBe(0)
    expect(products({}, { header: picture })).toBe(UNKNOWN_KEY)
    expect(products({}, { action: { ...action, name: 'cta_url' } })).toBe(UNKNOWN_KEY)
    expect(products({}, { action: { ...action, catalog_id: 'another' } })).toBe(INVALID)
  })
})

describe('an order', () => {
  const amount = (value: number) => ({ value, offset: 100 })
  const order = {
    status: 'pending',
    items: [{ retailer_id: 'sku-1', name: 'Chair', amount: amount(2_000), quantity: 2 }],
    subtotal: amount(4_000),
    tax: amount(400),
  }
  const bill = {
    reference_id: 'A-1001',
    type: 'physical-goods',
    payment_settings: [{ type: 'payment_gateway' }],
    currency: 'INR',
    total_amount: amount(4_400),
    order,
  }
  const details = (over: Json) => {
    const action = { name: 'review_and_pay', parameters: { ...bill, ...over } }
    return codeOf({ type: 'order_details', body, action })
  }

  test.each<[string, Json, number]>([
    ['is accepted', {}, 0],
    ['with a long reference is refused', { reference_id: x(36) }, INVALID],
    ['without a reference is refused', { reference_id: undefined }, MISSING],
    ['in dollars is refused', { currency: 'USD' }, INVALID],
    ['without a way to pay is refused', { payment_settings: [] }, MISSING],
    ['whose total is not its sum is refused', { total_amount: amount(4_000) }, INVALID],
    ['with a discount is accepted', { total_amount: amount(4_300), order: { ...order, discount: amount(100) } }, 0],
    ['whose items are not its subtotal is refused', { order: { ...order, subtotal: amount(2_000) } }, INVALID],
    ['without items is refused', { order: { ...order, items: [] } }, MISSING],
    ['with another offset is refused', { total_amount: { value: 4_400, offset: 1_000 } }, INVALID],
    ['that is paid already is refused', { order: { ...order, status: 'completed' } }, INVALID],
  ])('%s', (_, over, code) => expect(details(over)).toBe(code))

  test('has a status that the platform knows', () => {
    const status = (word: string) => {
      const parameters = { reference_id: 'A-1001', order: { status: word } }
      return codeOf({ type: 'order_status', body, action: { name: 'review_order', parameters } })
    }
    expect(['shipped', 'lost'].map(status)).toEqual([0, INVALID])
  })
})

test('a button to call has a short label and a life, a request for the number nothing', () => {
  const call = (parameters: unknown) => codeOf({ type: 'voice_call', body, action: { name: 'voice_call', parameters } })
  expect(call({ display_text: 'Call us', ttl_minutes: 100, payload: 'a' })).toBe(0)
  expect(call({ display_text: x(21) })).toBe(INVALID)
  expect([call({ ttl_minutes: 0 }), call({ ttl_minutes: 43_201 })]).toEqual([INVALID, INVALID])
  expect(call({ label: 'Call us' })).toBe(UNKNOWN_KEY)
  const ask = (action: Json) => codeOf({ type: 'request_contact_info', body, action })
  expect(ask({ name: 'request_contact_info' })).toBe(0)
  expect(ask({ name: 'request_contact_info', parameters: {} })).toBe(UNKNOWN_KEY)
})

describe('a form for an address', () => {
  const form = (parameters: Json, to: unknown = '+919876543210') => {
    const address = { type: 'address_message', body, action: { name: 'address_message', parameters } }
    return codeOf(address, to)
  }

  test.each<[string, Json, number]>([
    ['in India is accepted', { country: 'IN', values: { city: 'Mumbai', in_pin_code: '400063' } }, 0],
    [
      'with saved addresses is accepted',
      { country: 'IN', saved_addresses: [{ id: 'a', value: { city: 'Delhi' } }] },
      0,
    ],
    ['with what is wrong is accepted', { country: 'IN', validation_errors: { in_pin_code: 'There is none.' } }, 0],
    ['without a country is refused', {}, MISSING],
    ['in another country is refused', { country: 'SG' }, INVALID],
    ['with a long pin code is refused', { country: 'IN', values: { in_pin_code: '4000631' } }, INVALID],
    ['with a number as value is refused', { country: 'IN', values: { city: 1 } }, INVALID],
    ['with an unknown field is refused', { country: 'IN', values: { street: 'x' } }, UNKNOWN_KEY],
    ['with a saved address without an id is refused', { country: 'IN', saved_addresses: [{ value: {} }] }, MISSING],
  ])('%s', (_, parameters, code) => expect(form(parameters)).toBe(code))

  test('is refused for a number of another country', () => {
    expect(form({ country: 'IN' }, '+12025550100')).toBe(INVALID)
  })
})

test('a request to call has a text or nothing, and neither header nor footer', () => {
  const asking = { type: 'call_permission_request', action: { name: 'call_permission_request' } }
  const header = { type: 'text', text: 'Hi' }
  const given = [asking, { ...asking, body }, { ...asking, header }, { ...asking, footer: body }]
  expect(given.map((one) => codeOf(one))).toEqual([0, 0, INVALID, INVALID])
})

test('a location request has neither header nor footer', () => {
  const asking = { type: 'location_request_message', body, action: { name: 'send_location' } }
  const header = { type: 'text', text: 'Hi' }
  const codes = [asking, { ...asking, header }, { ...asking, footer: body }].map((one) => codeOf(one))
  expect(codes).toEqual([0, INVALID, INVALID])
})
