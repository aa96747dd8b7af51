import { expect, test } from 'vitest'
import { previewOf } from './inbound-content.ts'

test.each([
  ['a form', { flow_reply: { name: 'flow' }, text: 'Sent' }, 'Filled in a form'],
  ['an address', { flow_reply: { name: 'address_message' }, text: 'Sent' }, 'Sent an address'],
  [
    'an address that Meta writes out',
    { flow_reply: { name: 'address_message' }, text: 'Asha, Mumbai' },
    'Asha, Mumbai',
  ],
  ['a form without words', { flow_reply: { name: null }, text: null }, 'Filled in a form'],
  ['an order', { order: { products: [{}] }, text: null }, 'Order of 1 product'],
  ['a larger order', { order: { products: [{}, {}] }, text: null }, 'Order of 2 products'],
  ['a card to pay with', { payment_method: { reference_id: 'A-1001' } }, 'Chose a card for order A-1001'],
  [
    'what only the phone shows',
    { unsupported: { meta_code: 131060 }, text: null },
    'Only the phone shows this message',
  ],
  [
    'what nobody can show',
    { unsupported: { meta_code: null }, text: null },
    'A message that WhatsApp does not pass on',
  ],
  ['a number that was shared', { contacts: [{ phones: [{ phone: '+12025550100' }] }] }, '+12025550100'],
  ['an order with a comment', { order: { products: [{}] }, text: 'In blue, please' }, 'In blue, please'],
])('%s is told in a line', (_, content, words) => {
  expect(previewOf({ content: JSON.stringify(content) })).toBe(words)
})
