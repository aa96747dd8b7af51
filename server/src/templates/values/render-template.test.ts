import { describe, expect, test } from 'vitest'
import type { TemplateContent } from '../content/template-types.ts'
import { renderTemplate } from './render-template.ts'

const template: TemplateContent = {
  name: 'a',
  language: 'en',
  category: 'utility',
  parameter_format: 'positional',
  components: [
    { type: 'header', format: 'text', text: 'Order {{1}}' },
    { type: 'body', text: 'Hi {{1}}, pay {{2}}.' },
    { type: 'footer', text: 'Acme' },
    {
      type: 'buttons',
      buttons: [
        { type: 'quick_reply', text: 'Thanks' },
        { type: 'url', text: 'Track', url: 'https://a.test/{{1}}', optional: true },
        { type: 'phone_number', text: 'Call', phone_number: '+351912345678' },
      ],
    },
  ],
  variables: [],
}

describe('a rendered template', () => {
  test('has every part as the customer sees it', () => {
    const buttons = new Map([[1, { type: 'text' as const, text: 'A-1' }]])
    expect(renderTemplate(template, { header: ['A-1'], body: ['Ana', '{{1}}'], buttons, media: null })).toEqual({
      header: { kind: 'text', text: 'Order A-1' },
      text: 'Hi Ana, pay {{1}}.',
      footer: 'Acme',
      buttons: [
        { type: 'quick_reply', text: 'Thanks', value: null },
        { type: 'url', text: 'Track', value: 'https://a.test/A-1' },
        { type: 'phone_number', text: 'Call', value: '+351912345678' },
      ],
    })
  })

  test('leaves out an optional button without a value, and shows the given media as header', () => {
    const media = { kind: 'image', media_id: 'med_1' } as const
    const plain = { ...template, components: template.components.slice(1) }
    const rendered = renderTemplate(plain, { header: [], body: ['a', 'b'], buttons: new Map(), media })
    expect(rendered.header).toEqual(media)
    expect(rendered.buttons.map(({ type }) => type)).toEqual(['quick_reply', 'phone_number'])
  })
})
