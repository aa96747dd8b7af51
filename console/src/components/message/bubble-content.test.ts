import { expect, test } from 'vitest'
import { readContent } from './bubble-content.ts'

test.each([
  [
    'a place with a name',
    'location',
    place('Our shop', 'Rua Augusta 100'),
    'Location Our shop, Rua Augusta 100 (38.7, -9.1)',
  ],
  ['a place on the map', 'location', place(null, null), 'Location (38.7, -9.1)'],
  ['a contact', 'contacts', cards({ name: { formatted_name: 'Ana' }, phones: [{ phone: '+1' }] }), 'Contact Ana (+1)'],
  ['two contacts', 'contacts', cards({ name: { formatted_name: 'Ana' } }, {}), 'Contact Ana, without a name'],
  ['a reaction', 'reaction', { reaction: { message_id: 'wamid.1', emoji: '👍' } }, 'Reacted 👍'],
  [
    'an order',
    'order',
    { order: { products: [{ product_id: 'a', quantity: 2 }, { product_id: 'b' }] } },
    'Ordered\n2 × a\n? × b',
  ],
  [
    'a permission to call for some days',
    'call_permission_reply',
    permission({ granted: true, expires_at: '2026-11-25T10:00:00.000Z' }),
    'Allowed calls until 25 Nov 2026',
  ],
  ['a permission to call', 'call_permission_reply', permission({ granted: true, permanent: true }), 'Allowed calls'],
  [
    'a card to pay an order with',
    'payment_method_reply',
    { payment_method: { reference_id: 'A-1001', last_four_digits: '4242' } },
    'Pays order A-1001 with a saved card that ends in 4242',
  ],
  [
    'a message of a device that Meta cannot read',
    'unsupported',
    { unsupported: { type: 'unknown', meta_code: 131060 } },
    'A message that only the WhatsApp Business app on the phone can show',
  ],
  ['a refusal of calls', 'call_permission_reply', permission({ granted: false }), 'Declined calls'],
  [
    'a reaction that was removed',
    'reaction',
    { reaction: { message_id: 'wamid.1', emoji: null } },
    'Removed a reaction',
  ],
])('%s is shown in words', (_, type, content, note) => {
  expect(readContent(type, content).note).toBe(note)
})

test('a message in a form that only Meta knows shows its words, and all of it as it was sent', () => {
  const meta = {
    type: 'voice_call',
    body: { text: 'Call us' },
    footer: { text: 'Mo to Fr' },
    action: { name: 'voice_call' },
  }
  const seen = readContent('raw', { meta_type: 'interactive.voice_call', meta })
  expect(seen).toMatchObject({
    text: 'Call us',
    footer: 'Mo to Fr',
    note: "Meta's type interactive.voice_call",
    json: meta,
  })
  expect(readContent('raw', { meta_type: 'text', meta: { body: 'Hi' } }).text).toBe('Hi')
  expect(readContent('raw', { meta_type: 'new', meta: null }).text).toBeNull()
})

test('what a customer filled in is a line for each field, and the token of the sender none', () => {
  const seen = (flow_reply: object) => {
    const { header, text, note } = readContent('flow_reply', { text: 'Sent', flow_reply })
    return [header, text, note]
  }
  const address = { values: { name: 'Asha', in_pin_code: '400063' }, saved_address_id: 'home' }
  expect(seen({ name: 'address_message', answers: address, json: null })).toEqual([
    'Sent an address',
    'Name: Asha\nPin code: 400063\nSaved address id: home',
    null,
  ])
  const answers = { flow_token: 'A-1', topics: ['a', 'b'], agreed: true, more: { a: 1 }, comment: null }
  expect(seen({ name: 'flow', answers, json: null })).toEqual([
    'Filled in a form',
    'Topics: a, b\nAgreed: true\nMore: {"a":1}\nComment: –',
    null,
  ])
  expect(seen({ name: 'flow', answers: { flow_token: 'A-1' }, json: null })).toEqual(['Filled in a form', null, null])
  expect(seen({ name: 'flow', answers: null, json: '[1]' })).toEqual(['Filled in a form', '[1]', null])
})

test('a voice note is told from other audio', () => {
  const isVoice = (media: object) => readContent('audio', { media }).media?.isVoice
  expect([isVoice({ voice: true }), isVoice({ voice: false }), isVoice({})]).toEqual([true, false, false])
})

test.each([
  ['a link', { kind: 'cta_url', button: 'Track it', url: 'https://a.test' }, 'Track it', 'https://a.test'],
  ['a Flow', { kind: 'flow', button: 'Book', flow: { id: '1' } }, 'Book', null],
  ['a product', { kind: 'product', catalog_id: '1', product_id: 'SKU-1' }, 'View', null],
  ['a list of products', { kind: 'product_list', catalog_id: '1', product_sections: [] }, 'View items', null],
  ['a catalog', { kind: 'catalog', thumbnail_product_id: 'SKU-1' }, 'View catalog', null],
  ['a form for an address', { kind: 'address', address: { country: 'IN' } }, 'Provide address', null],
  ['a location request', { kind: 'location_request' }, 'Send location', null],
])('%s is shown with its button', (_, form, label, value) => {
  const seen = readContent('interactive', { interactive: { header: null, body: 'Well?', footer: null, ...form } })
  expect([seen.text, seen.buttons]).toMatchObject(['Well?', [{ label, value }]])
})

test('what can be tapped says what the simulated customer does', () => {
  const tapsOf = (form: object) =>
    readContent('interactive', { interactive: { body: 'Well?', ...form } }).buttons.map(({ tap }) => tap)
  expect(tapsOf({ kind: 'cta_url', button: 'Open', url: 'https://a.test' })).toEqual([undefined])
  expect(tapsOf({ kind: 'location_request' })).toMatchObject([{ kind: 'location' }])
  expect(tapsOf({ kind: 'flow', button: 'Book', flow: { id: '1', token: 'A-1' } })).toEqual([
    { kind: 'form', name: 'flow', answers: { flow_token: 'A-1' } },
  ])
  const product_sections = [{ product_ids: ['a', 'b'] }]
  expect(tapsOf({ kind: 'product_list', catalog_id: '1', product_sections })).toEqual([
    { kind: 'order', catalog_id: '1', product_ids: ['a', 'b'] },
  ])
  expect(tapsOf({ kind: 'catalog', thumbnail_product_id: 'a' })).toMatchObject([{ kind: 'order', product_ids: ['a'] }])
  const address = { country: 'IN', values: { city: 'Delhi' } }
  expect(tapsOf({ kind: 'address', address })).toMatchObject([{ answers: { values: { city: 'Delhi' } } }])
  const order = { reference_id: 'A-1', items: [], payment_settings: [{ type: 'offsite_card_pay' }] }
  expect(tapsOf({ kind: 'order_details', order })).toEqual([{ kind: 'payment_method', reference_id: 'A-1' }])
  expect(tapsOf({ kind: 'order_details', order: { ...order, payment_settings: [] } })).toEqual([undefined])
  expect(tapsOf({ kind: 'contact_info' })).toEqual([{ kind: 'contact_info' }])
  expect(tapsOf({ kind: 'call_permission' })).toEqual([
    { kind: 'call_permission', granted: true },
    { kind: 'call_permission', granted: false },
  ])
})

test('products are named by their ids', () => {
  const noteOf = (form: object) => readContent('interactive', { interactive: { body: 'Well?', ...form } }).note
  expect(noteOf({ kind: 'product', product_id: 'SKU-1' })).toBe('Product SKU-1')
  const product_sections = [
    { title: 'Small', product_ids: ['a', 'b'] },
    { title: null, product_ids: ['c'] },
  ]
  expect(noteOf({ kind: 'product_list', product_sections })).toBe('Small: a, b\nc')
  expect(noteOf({ kind: 'catalog', thumbnail_product_id: 'SKU-1' })).toBeNull()
})

test('the cards of a carousel are shown with their files and buttons', () => {
  const card = { header: { type: 'image', link: 'https://a.test/a.png' }, body: 'Blue' }
  const opens = { ...card, button: 'Buy', url: 'https://a.test', buttons: null }
  const answers = { ...card, button: null, url: null, buttons: [{ id: 'like', title: 'Like' }] }
  const seen = readContent('interactive', { interactive: { kind: 'carousel', body: 'x', cards: [opens, answers] } })
  expect(seen.cards).toMatchObject([
    { media: { kind: 'image', link: 'https://a.test/a.png' }, text: 'Blue', buttons: [{ kind: 'url', label: 'Buy' }] },
    { text: 'Blue', buttons: [{ kind: 'reply', label: 'Like', id: 'like' }] },
  ])
})

function permission(over: object) {
  return { call_permission: { permanent: false, expires_at: null, automatic: false, ...over } }
}

function cards(...contacts: object[]) {
  return { contacts }
}

function place(name: string | null, address: string | null) {
  return { location: { latitude: 38.7, longitude: -9.1, name, address } }
}

test('an offer, a product and the cards of a carousel are shown in words', () => {
  const card = { header: { kind: 'image', link: 'https://a.test/1.png' }, text: 'Chair', buttons: [] }
  const content = {
    header: { kind: 'product', product_retailer_id: 'sku-1', catalog_id: '1' },
    text: 'Hi',
    offer: { text: 'Only today!', expires_at: '2030-01-01T12:00:00.000Z' },
    cards: [card],
  }
  expect(readContent('template', content)).toMatchObject({
    media: { kind: 'product', name: 'Product sku-1' },
    offer: { text: 'Only today!', end: 'Ends 1 Jan 2030, 12:00 UTC' },
    cards: [{ media: { kind: 'image', link: 'https://a.test/1.png' }, text: 'Chair' }],
  })
})

test('buttons of a template that a customer answers say how, also on cards', () => {
  const sections = [{ title: 'Chairs', product_items: [{ product_retailer_id: 'a' }, { product_retailer_id: 'b' }] }]
  const header = { kind: 'product', product_retailer_id: 'c', catalog_id: '1' }
  const buttons = ['url', 'copy_code', 'flow', 'catalog'].map((type) => ({ type, text: type, value: 'v' }))
  const seen = readContent('template', {
    text: 'Hi',
    buttons: [...buttons, { type: 'mpm', text: 'View items', value: 'a', sections }],
    cards: [{ header, buttons: [{ type: 'spm', text: 'View', value: null }] }],
  })
  expect(seen.note).toBe('Chairs: a, b')
  expect(seen.buttons.map(({ tap }) => tap)).toEqual([
    undefined,
    undefined,
    { kind: 'form', name: 'flow', answers: { flow_token: 'unused' } },
    { kind: 'order', catalog_id: 'sample', product_ids: ['v'] },
    { kind: 'order', catalog_id: 'sample', product_ids: ['a', 'b'] },
  ])
  expect(seen.cards[0]?.buttons[0]?.tap).toEqual({ kind: 'order', catalog_id: '1', product_ids: ['c'] })
})
