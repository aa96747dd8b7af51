import { describe, expect, test } from 'vitest'
import { filledContent, type SentTemplate, sendComponents, valueFields } from './template-values.ts'

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

  test('is seen before it is sent, with examples where nothing is filled in; a $ is a $', () => {
    expect(filledContent(template, { 'body 1': "$& $'" })).toMatchObject({
      text: "Hi $& $', your order A-1001 is confirmed.",
      footer: 'Thanks',
    })
  })
})
