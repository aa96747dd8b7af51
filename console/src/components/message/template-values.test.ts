import { describe, expect, test } from 'vitest'
import { canFill, filledContent, type SentTemplate, sendComponents, valueFields } from './template-values.ts'

const template: SentTemplate = {
  name: 'order_confirmation',
  language: 'en_US',
  components: [
    { type: 'header', format: 'image' },
    { type: 'body', text: 'Hi {{1}}, your order {{2}} is confirmed.' },
    { type: 'footer', text: 'Thanks' },
    {
      type: 'buttons',
      buttons: [
        { type: 'quick_reply', text: 'Stop' },
        { type: 'url', text: 'Track', url: 'https://acme.test/{{1}}', example: 'A-1' },
      ],
    },
  ],
  variables: [
    { component: 'body', position: 1, name: 'customer_name', example: 'Ana' },
    { component: 'body', position: 2, name: null, example: 'A-1001' },
  ],
}

describe('a template that is filled in', () => {
  test('asks for everything Meta wants, by the names people know', () => {
    expect(valueFields(template).map(({ label, kind }) => [label, kind])).toEqual([
      ['Header image', 'image'],
      ['Customer name', 'text'],
      ['Value 2', 'text'],
      ['End of the link “Track”', 'text'],
    ])
  })

  test('is sent with what was filled in', () => {
    const values = { header: 'med_1', 'body 1': 'Bo', 'body 2': 'B-7', 'button 1': 'B-7' }
    expect(sendComponents(template, values)).toEqual([
      { type: 'header', parameters: [{ type: 'image', image: { media_id: 'med_1' } }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Bo' },
          { type: 'text', text: 'B-7' },
        ],
      },
      { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: 'B-7' }] },
    ])
  })

  test('asks for the place of a map and for a coupon code', () => {
    const sale: SentTemplate = {
      ...template,
      components: [
        { type: 'header', format: 'location' },
        { type: 'body', text: 'The sale is on.' },
        { type: 'buttons', buttons: [{ type: 'copy_code', text: '', example: 'SAVE10' }] },
      ],
      variables: [],
    }
    expect(valueFields(sale).map(({ label, isOptional }) => [label, isOptional === true])).toEqual([
      ['Latitude', false],
      ['Longitude', false],
      ['Name of the place (optional)', true],
      ['Address (optional)', true],
      ['Coupon code', false],
    ])
    const values = { 'header latitude': '38.7', 'header longitude': '-9.1', 'header name': ' ', 'button 0': 'SAVE25' }
    expect(sendComponents(sale, values)).toEqual([
      { type: 'header', parameters: [{ type: 'location', location: { latitude: '38.7', longitude: '-9.1' } }] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: 0,
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE25' }],
      },
    ])
    expect(filledContent(sale, { 'header latitude': '38.7' })).toMatchObject({
      header: { kind: 'location', latitude: '38.7', longitude: '…' },
      buttons: [{ type: 'copy_code', text: 'Copy code', value: 'SAVE10' }],
    })
  })

  test('is seen before it is sent, with examples where nothing is filled in; a $ is a $', () => {
    expect(filledContent(template, { 'body 1': "$& $'" })).toMatchObject({
      text: "Hi $& $', your order A-1001 is confirmed.",
      footer: 'Thanks',
    })
  })

  test('asks for the end of an offer, and says where it cannot ask for all', () => {
    const offer = { type: 'limited_time_offer', text: 'Only today!', has_expiration: true } as const
    const sale = { ...template, components: [offer, { type: 'body', text: 'Hi' } as const], variables: [] }
    expect(canFill(sale)).toBe(true)
    expect(valueFields(sale).map(({ key }) => key)).toEqual(['offer end'])
    expect(sendComponents(sale, { 'offer end': '2030-01-01T12:00' })).toEqual([
      {
        type: 'limited_time_offer',
        parameters: [
          { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.UTC(2030, 0, 1, 12) } },
        ],
      },
    ])
    const header = { type: 'header', format: 'product' } as const
    const variables = [{ component: 'body', position: 1, name: 'price', example: '€ 40' }] as const
    const cards = [{ components: [header, { type: 'body', text: 'For {{1}}' }], variables }]
    const carousel = { type: 'carousel', cards } as const
    expect(filledContent({ ...sale, components: [carousel] }, {})).toMatchObject({
      cards: [{ header: { kind: 'product' }, text: 'For € 40' }],
    })
    const items = { type: 'buttons', buttons: [{ type: 'mpm', text: 'View items' }] } as const
    for (const part of [carousel, items, header]) {
      expect(canFill({ ...sale, components: [part] })).toBe(false)
    }
  })
})
