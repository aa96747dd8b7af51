import { describe, expect, test } from 'vitest'
import type { TemplateComponent, TemplateContent } from '../content/template-types.ts'
import { readValues } from './read-values.ts'

const template = (...components: TemplateComponent[]): TemplateContent => ({
  name: 'order',
  language: 'en_US',
  category: 'utility',
  parameter_format: 'positional',
  components,
  variables: [],
})
const seen = { header: null, text: '', footer: null, buttons: [] }

describe('the values behind a message', () => {
  test('come back from its words, in the order of their numbers', () => {
    const order = template({ type: 'body', text: 'Order {{2}} for {{1}} (a+b).' })
    expect(readValues(order, { ...seen, text: 'Order A-1 for Ana (Lisbon) (a+b).' })).toEqual([
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Ana (Lisbon)' },
          { type: 'text', text: 'A-1' },
        ],
      },
    ])
  })

  test('are read from header, body and the end of a url', () => {
    const order = template(
      { type: 'header', format: 'image', example: null },
      { type: 'body', text: 'Hi {{1}}' },
      { type: 'buttons', buttons: [{ type: 'url', text: 'Track', url: 'https://acme.test/{{1}}' }] },
    )
    const buttons = [{ type: 'url' as const, text: 'Track', value: 'https://acme.test/A-1' }]
    const header = { kind: 'image' as const, link: 'https://acme.test/a.png' }
    expect(readValues(order, { ...seen, header, text: 'Hi Ana', buttons })).toEqual([
      { type: 'header', parameters: [{ type: 'image', image: { link: 'https://acme.test/a.png' } }] },
      { type: 'body', parameters: [{ type: 'text', text: 'Ana' }] },
      { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'A-1' }] },
    ])
  })

  test('include the place of a header and a coupon code', () => {
    const sale = template(
      { type: 'header', format: 'location' },
      { type: 'body', text: 'Hi' },
      { type: 'buttons', buttons: [{ type: 'copy_code', text: '' }] },
    )
    const place = { latitude: 38.7, longitude: -9.1, name: 'Shop' }
    const buttons = [{ type: 'copy_code', text: 'Copy code', value: 'SAVE25' }]
    expect(readValues(sale, { ...seen, header: { kind: 'location', ...place }, text: 'Hi', buttons })).toEqual([
      { type: 'header', parameters: [{ type: 'location', location: place }] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: 0,
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE25' }],
      },
    ])
  })

  test('include the end of an offer, products and the values of cards', () => {
    const card = {
      components: [
        { type: 'header', format: 'image', example: null },
        { type: 'body', text: 'Chair {{1}}.' },
      ],
      variables: [],
    } as const
    const chairs = template(
      { type: 'body', text: 'Hi' },
      { type: 'limited_time_offer', text: 'Now', has_expiration: true },
      { type: 'buttons', buttons: [{ type: 'mpm', text: 'View items' }] },
      { type: 'carousel', cards: [card, card] },
    )
    const sections = [{ title: 'Chairs', product_items: [{ product_retailer_id: 'sku-1' }] }]
    const image = (n: number) => ({ header: { kind: 'image' as const, link: `https://a.test/${n}` }, buttons: [] })
    const sent = {
      ...seen,
      text: 'Hi',
      offer: { text: 'Now', expires_at: '2030-01-01T12:00:00.000Z' },
      buttons: [{ type: 'mpm', text: 'View items', value: 'sku-1', sections }],
      cards: [0, 1].map((n) => ({ ...image(n), text: `Chair ${n}.` })),
    }
    expect(readValues(chairs, sent)).toEqual([
      {
        type: 'limited_time_offer',
        parameters: [
          { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.UTC(2030, 0, 1, 12) } },
        ],
      },
      {
        type: 'button',
        sub_type: 'mpm',
        index: 0,
        parameters: [{ type: 'action', action: { thumbnail_product_retailer_id: 'sku-1', sections } }],
      },
      {
        type: 'carousel',
        cards: [0, 1].map((n) => ({
          card_index: n,
          components: [
            { type: 'header', parameters: [{ type: 'image', image: { link: `https://a.test/${n}` } }] },
            { type: 'body', parameters: [{ type: 'text', text: `${n}` }] },
          ],
        })),
      },
    ])
  })

  test('are not guessed when the template has changed since', () => {
    expect(readValues(template({ type: 'body', text: 'Hello {{1}}' }), { ...seen, text: 'Hi Ana' })).toBeNull()
    expect(readValues(template({ type: 'body', text: 'Hi' }), { ...seen, text: 'Hi' })).toEqual([])
  })
})
