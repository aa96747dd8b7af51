import { describe, expect, test } from 'vitest'
import { checkInteractive } from './check-interactive.ts'
import type { CardRequest, InteractiveRequest } from './interactive-request.ts'

const problems = (request: InteractiveRequest) =>
  checkInteractive(request).map((problem) => `${problem.field} ${problem.code}`)
const x = (length: number) => 'x'.repeat(length)

describe('a link', () => {
  const link = (over: object) =>
    problems({ type: 'cta_url', body: 'Well?', button: 'Open', url: 'https://a.test', ...over })

  test('has a short label, a full address, and every kind of header', () => {
    expect(link({ button: x(20), url: 'http://a.test/b?c=d#e', body: x(1024), footer: x(60) })).toEqual([])
    expect(link({ header: { type: 'image', media_id: 'med_1' } })).toEqual([])
    expect(link({ button: x(21), body: x(1025) })).toEqual(['body too_long', 'button too_long'])
    for (const url of ['a.test', 'https://', 'ftp://a.test', 'tel:+1', 'https://a.test/b c']) {
      expect(link({ url })).toEqual(['url invalid_url'])
    }
  })
})

describe('a Flow', () => {
  const flow = (over: object, button = 'Book') => problems({ type: 'flow', body: 'Well?', button, flow: over })

  test('is named by its id or its name, and opens by a short label without emoji', () => {
    expect(flow({ id: '1' }, x(30))).toEqual([])
    expect(flow({ name: 'booking', token: 't', mode: 'draft' })).toEqual([])
    expect(flow({})).toEqual(['flow one_of_required'])
    expect(flow({ id: '1', name: 'booking' })).toEqual(['flow mutually_exclusive'])
    expect(flow({ id: '1' }, x(31))).toEqual(['button too_long'])
    expect(flow({ id: '1' }, 'Book 📅')).toEqual(['button invalid_value'])
  })

  test('opens a screen with values, or asks its endpoint for the screen', () => {
    expect(flow({ id: '1', screen: 'A', screen_data: { day: 'Mon' } })).toEqual([])
    expect(flow({ id: '1', screen_data: {} })).toEqual(['flow.screen_data too_short'])
    expect(flow({ id: '1', action: 'data_exchange' })).toEqual([])
    expect(flow({ id: '1', action: 'data_exchange', screen: 'A', screen_data: { a: 1 } })).toEqual([
      'flow.screen mutually_exclusive',
      'flow.screen_data mutually_exclusive',
    ])
  })
})

describe('products', () => {
  const ids = (length: number) => Array.from({ length }, (_, index) => `p${index}`)
  const listed = (product_sections: { title?: string; product_ids: string[] }[], over: object = {}) => {
    const header = { type: 'text', text: 'Pots' } as const
    return problems({ type: 'product_list', header, body: 'Well?', catalog_id: 'c', product_sections, ...over })
  }

  test('are up to 30 in all, in up to ten sections with titles', () => {
    expect(listed([{ product_ids: ids(30) }])).toEqual([])
    expect(listed([{ product_ids: ids(20), title: x(24) }, { product_ids: ids(11) }])).toEqual([
      'product_sections[1].title required',
      'product_sections too_many_items',
    ])
    expect(listed([{ title: x(25), product_ids: [] }])).toEqual([
      'product_sections[0].title too_long',
      'product_sections[0].product_ids too_short',
    ])
    expect(listed([])).toEqual(['product_sections too_short'])
  })

  test('in a list have a header of text', () => {
    const products = [{ product_ids: ['p'] }]
    expect(listed(products, { header: null })).toEqual(['header required'])
    expect(listed(products, { header: { type: 'image', media_id: 'med_1' } })).toEqual(['header.type invalid_value'])
  })

  test('alone and in catalogs have ids, and no header', () => {
    const header = { type: 'text', text: 'x' } as const
    const one = { type: 'product', body: 'Well?', catalog_id: 'c', product_id: 'p' } as const
    expect(problems(one)).toEqual([])
    expect(problems({ ...one, header, product_id: ' p', catalog_id: '' })).toEqual([
      'header unknown_field',
      'catalog_id too_short',
      'product_id invalid_format',
    ])
    const catalog = { type: 'catalog', body: 'Well?', thumbnail_product_id: 'p', footer: x(61) } as const
    expect(problems({ ...catalog, header })).toEqual(['header unknown_field', 'footer too_long'])
  })
})

describe('a carousel', () => {
  const header = { type: 'image', link: 'https://a.test/a.png' } as const
  const card = { header, button: 'Buy', url: 'https://a.test' }
  const answers = { header, buttons: [{ id: 'like', title: 'Like' }] }
  const cards = (...given: CardRequest[]) => problems({ type: 'carousel', body: 'Well?', cards: given })

  test('has two to ten cards with a file, and something to tap', () => {
    expect(cards({ ...card, body: x(160) }, card)).toEqual([])
    expect(cards(answers, answers)).toEqual([])
    expect(cards(card)).toEqual(['cards too_short'])
    expect(cards(...Array.from({ length: 11 }, () => card))).toEqual(['cards too_many_items'])
    expect(cards({ header }, { header })).toEqual(['cards[0] one_of_required', 'cards[1] one_of_required'])
    expect(cards(card, { header, button: 'Buy' })).toEqual(['cards[1].url required'])
    expect(cards(card, { header, url: 'https://a.test' })).toEqual(['cards[1].button required'])
  })

  test('names what is wrong with a card', () => {
    expect(cards(card, { header: { type: 'image' }, body: x(161), button: x(21), url: 'a.test' })).toEqual([
      'cards[1].header one_of_required',
      'cards[1].body too_long',
      'cards[1].button too_long',
      'cards[1].url invalid_url',
    ])
    expect(cards(card, { ...card, body: 'a\nb\nc\nd' })).toEqual(['cards[1].body too_long'])
    const twice = [answers.buttons[0], answers.buttons[0]].flatMap((button) => button ?? [])
    expect(cards(answers, { header, buttons: twice })).toEqual([
      'cards[1].buttons[1].id duplicate',
      'cards[1].buttons[1].title duplicate',
      'cards[1] invalid_value',
    ])
  })

  test('has cards that look alike', () => {
    expect(cards(card, { ...card, header: { ...header, type: 'video' } })).toEqual([
      'cards[1].header.type invalid_value',
    ])
    expect(cards(card, answers)).toEqual(['cards[1] invalid_value'])
    expect(cards(card, { ...card, ...answers })).toEqual(['cards[1] mutually_exclusive', 'cards[1] invalid_value'])
  })

  test('has neither header nor footer of its own', () => {
    const framed = { header: { type: 'text', text: 'x' } as const, footer: 'x' }
    const found = problems({ type: 'carousel', body: 'Well?', cards: [card, card], ...framed })
    expect(found).toEqual(['header unknown_field', 'footer unknown_field'])
  })
})

describe('a form for an address', () => {
  const form = (over: object, to = '+919876543210') =>
    problems({ type: 'address', to, body: 'Where?', address: { country: 'IN', ...over } })

  test('takes what is known, and what is wrong with it', () => {
    const values = { name: 'Asha', in_pin_code: '400063', city: null }
    const saved_addresses = [{ id: 'home', values }]
    expect(form({ values, saved_addresses, validation_errors: { in_pin_code: 'There is none.' } })).toEqual([])
    expect(form({ values: { in_pin_code: '4000631', city: ' ' } })).toEqual([
      'address.values.in_pin_code too_long',
      'address.values.city too_short',
    ])
    expect(form({ saved_addresses: [...saved_addresses, { id: 'home', values: { in_pin_code: x(7) } }] })).toEqual([
      'address.saved_addresses[1].values.in_pin_code too_long',
      'address.saved_addresses[1].id duplicate',
    ])
  })

  test('is for customers in India', () => {
    expect(form({}, 'IN.1234567890')).toEqual([])
    expect(form({}, '+6591234567')).toEqual(['to invalid_value'])
    expect(form({}, 'SG.1234567890')).toEqual(['to invalid_value'])
  })
})

describe('a request to call', () => {
  test('is a text alone', () => {
    const request = { type: 'call_permission', body: x(1024) } as const
    expect(problems(request)).toEqual([])
    const framed = { ...request, header: { type: 'text', text: 'x' } as const, footer: 'x' }
    expect(problems(framed)).toEqual(['header unknown_field', 'footer unknown_field'])
  })
})

describe('a location request', () => {
  test('is a text alone', () => {
    const request = { type: 'location_request', body: x(1024) } as const
    expect(problems(request)).toEqual([])
    const framed = { ...request, header: { type: 'text', text: 'x' } as const, footer: 'x' }
    expect(problems(framed)).toEqual(['header unknown_field', 'footer unknown_field'])
  })
})
