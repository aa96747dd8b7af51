import { describe, expect, test } from 'vitest'
import { isWritable, readTemplate, sendBody, wholeInput } from './read-template.ts'
import {
  emptyDraft,
  nextCard,
  nextPlaceholder,
  placeholdersOf,
  problemsByPart,
  type TemplateRecord,
  toInput,
} from './template-draft.ts'

const record = {
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  parameter_format: 'positional',
  components: [
    { type: 'header', format: 'image', example: { link: 'https://cdn.example.test/a.png' }, optional: true },
    { type: 'body', text: 'Hi {{1}}, order {{2}} is ready.' },
    { type: 'footer', text: 'Acme Store' },
    { type: 'buttons', buttons: [{ type: 'url', text: 'Track', url: 'https://acme.test/{{1}}', example: 'A-1' }] },
  ],
  variables: [
    { component: 'body', position: 1, name: 'name', example: 'Ana' },
    { component: 'body', position: 2, name: 'order_id', example: 'A-1001' },
  ],
} as unknown as TemplateRecord

describe('a carousel in the form', () => {
  const button = { type: 'url', text: 'Buy', url: 'https://acme.test/{{1}}', example: 'c1' }
  const cardOf = (n: number) => ({
    components: [
      { type: 'header', format: 'image', example: { link: `https://cdn.example.test/${n}.png` } },
      { type: 'body', text: 'For {{1}} only.' },
      { type: 'buttons', buttons: [button] },
    ],
    variables: [{ component: 'body', position: 1, name: 'price', example: '€ 40' }],
  })
  const chairs = {
    ...record,
    category: 'marketing',
    components: [
      { type: 'body', text: 'New chairs.' },
      { type: 'carousel', cards: [cardOf(0), cardOf(1)] },
    ],
    variables: [],
  } as unknown as TemplateRecord

  test('is written, and goes back to the API without losing a card', () => {
    expect(isWritable(chairs)).toBe(true)
    const input = toInput(readTemplate(chairs))
    expect(input.components).toEqual([
      { type: 'body', text: 'New chairs.' },
      {
        type: 'carousel',
        cards: [0, 1].map((n) => ({
          components: [
            { type: 'header', format: 'image', example: { link: `https://cdn.example.test/${n}.png` } },
            { type: 'body', text: 'For {{price}} only.', variables: [{ name: 'price', example: '€ 40' }] },
            { type: 'buttons', buttons: [button] },
          ],
        })),
      },
    ])
    const problem = { field: 'components[1].cards[1].components[2].buttons[0].url', message: 'Wrong.' }
    const others = { field: 'components[1].cards[0]', message: 'Not alike.' }
    expect([...problemsByPart(input, [problem, others])]).toEqual([
      ['carousel.cards[1].buttons.buttons[0].url', 'Wrong.'],
      ['carousel.cards[0]', 'Not alike.'],
    ])
  })

  test('has another card of the same form, without what the last one says', () => {
    const { cards } = readTemplate(chairs)
    expect(nextCard(cards, 'new')).toMatchObject({
      ...{ header: 'image', headerSample: null, body: '' },
      buttons: [{ type: 'url', text: 'Buy', url: '', example: '' }],
    })
  })

  test('stays as it was made elsewhere where a card has a part that this form does not know', () => {
    const card = { ...cardOf(0), components: [...cardOf(0).components, { type: 'limited_time_offer', text: 'Now' }] }
    const components = [{ type: 'carousel', cards: [card, cardOf(1)] }]
    expect(isWritable({ ...chairs, components } as unknown as TemplateRecord)).toBe(false)
  })
})

describe('a template in the form', () => {
  test('shows names instead of positions, and goes back to the API without losing a part', () => {
    const draft = readTemplate(record)
    expect(draft.body).toBe('Hi {{name}}, order {{order_id}} is ready.')
    expect(toInput(draft).components).toEqual([
      { type: 'header', format: 'image', example: { link: 'https://cdn.example.test/a.png' }, optional: true },
      {
        type: 'body',
        text: 'Hi {{name}}, order {{order_id}} is ready.',
        variables: [
          { name: 'name', example: 'Ana' },
          { name: 'order_id', example: 'A-1001' },
        ],
      },
      { type: 'footer', text: 'Acme Store' },
      { type: 'buttons', buttons: [{ type: 'url', text: 'Track', url: 'https://acme.test/{{1}}', example: 'A-1' }] },
    ])
  })

  test('sends what must be filled and leaves out what may be', () => {
    expect(sendBody(record)).toEqual({
      to: '+12025550100',
      template: 'order_ready',
      language: 'en_US',
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: 'A-1001' },
          ],
        },
        { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'A-1' }] },
      ],
    })
  })

  test('finds each placeholder once and names the next one in the same way', () => {
    expect(placeholdersOf('Hi {{ name }}, {{order_id}} and {{name}} {{}}')).toEqual(['name', 'order_id'])
    expect(nextPlaceholder('Hi')).toBe('{{name}}')
    expect(nextPlaceholder('Hi {{1}}, {{2}}')).toBe('{{3}}')
    expect(nextPlaceholder('Hi {{name}}')).toBe('{{value_1}}')
  })

  test('puts what the API says beside the part it is about', () => {
    const input = toInput({ ...emptyDraft, header: 'text', headerText: 'Hello', body: '{{1}}' })
    const parts = problemsByPart(input, [
      { field: 'name', message: 'no name' },
      { field: 'components[1].text', message: 'starts with a variable' },
    ])
    expect(parts).toEqual(
      new Map([
        ['name', 'no name'],
        ['body.text', 'starts with a variable'],
      ]),
    )
  })

  test('opens only where the form knows every part, and keeps the time to deliver', () => {
    const withParts = (...parts: object[]) => ({ ...record, components: parts }) as unknown as TemplateRecord
    expect(isWritable(record)).toBe(true)
    expect(toInput(readTemplate({ ...record, message_send_ttl_seconds: 60 })).message_send_ttl_seconds).toBe(60)
    const unknown = [
      { type: 'limited_time_offer', text: 'Now' },
      { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'one_tap', text: 'Copy' }] },
    ]
    for (const part of unknown) expect(isWritable(withParts(part))).toBe(false)
  })

  test('keeps every kind of button that it offers, and a header that is a place', () => {
    const buttons = [
      { type: 'copy_code', example: 'SPRING25' },
      { type: 'flow', text: 'Book', flow_id: '12', navigate_screen: 'FIRST' },
      { type: 'flow', text: 'Ask', flow_id: '13', flow_action: 'data_exchange' },
      { type: 'catalog', text: 'See all' },
      { type: 'mpm', text: 'Our picks' },
      { type: 'spm', text: 'View' },
      { type: 'request_contact_info' },
    ]
    const components = [
      { type: 'header', format: 'location' },
      { type: 'body', text: 'Hello' },
      { type: 'buttons', buttons },
    ]
    const whole = { ...record, components, variables: [] } as unknown as TemplateRecord
    expect(isWritable(whole)).toBe(true)
    expect(toInput(readTemplate(whole)).components).toEqual(components)
  })

  test('is shown whole where the form does not know a part, with the cards and their variables', () => {
    const card = {
      components: [{ type: 'body', text: 'Chair {{1}}.' }],
      variables: [{ component: 'body', position: 1, name: 'colour', example: 'red' }],
    }
    const components = [
      { type: 'carousel', cards: [card] },
      { type: 'other', platform_type: 'new' },
    ]
    expect(wholeInput({ ...record, components } as unknown as TemplateRecord).components).toEqual([
      {
        type: 'carousel',
        cards: [
          { components: [{ type: 'body', text: 'Chair {{1}}.', variables: [{ name: 'colour', example: 'red' }] }] },
        ],
      },
    ])
  })
})
