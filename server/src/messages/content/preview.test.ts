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
  ['an order with a comment', { order: { products: [{}] }, text: 'In blue, please' }, 'In blue, please'],
])('%s is told in a line', (_, content, words) => {
  expect(previewOf({ content: JSON.stringify(content) })).toBe(words)
})
