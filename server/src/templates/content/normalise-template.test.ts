import { describe, expect, test } from 'vitest'
import { checkTemplate } from '../check/check-template.ts'
import { normaliseTemplate } from './normalise-template.ts'
import type { TemplateInput } from './template-types.ts'

const onCloud = (input: Partial<TemplateInput>) => normaliseTemplate({ name: 'order_ready', ...input }, 'cloud')
const onSandbox = (input: Partial<TemplateInput>) => normaliseTemplate({ name: 'order_ready', ...input }, 'sandbox')
const problems = (input: Partial<TemplateInput>) =>
  onCloud(input).problems.map((problem) => `${problem.field} ${problem.code}`)

describe('a template as written', () => {
  test('may be a name and a body alone', () => {
    const { template, problems } = onCloud({ body: 'Your order is ready.' })
    expect(template).toEqual({
      name: 'order_ready',
      language: 'en_US',
      category: 'utility',
      parameter_format: 'positional',
      components: [{ type: 'body', text: 'Your order is ready.' }],
      variables: [],
    })
    expect(problems).toEqual([])
  })

  test('may write types, formats, categories and languages in any case', () => {
    const { template } = onCloud({
      category: 'MARKETING',
      language: 'pt-br',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'News' },
        { type: 'Body', text: 'Sale today only.' },
        { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Stop' }] },
      ],
    })
    expect(template).toMatchObject({ category: 'marketing', language: 'pt_BR' })
    expect(template.components).toEqual([
      { type: 'header', format: 'text', text: 'News' },
      { type: 'body', text: 'Sale today only.' },
      { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'Stop' }] },
    ])
  })

  test('may be known to Meta by name, where every variable has one', () => {
    const named = (text: string, variables: object[] = []) => ({
      parameter_format: 'Named',
      components: [{ type: 'body', text, variables }],
    })
    expect(onCloud(named('Hi {{first_name}}, all is ready.')).template.parameter_format).toBe('named')
    expect(problems(named('Hi {{first_name}}, all is ready.'))).toEqual([])
    expect(problems(named('Hi {{1}}, all is ready.', [{ name: 'first_name' }]))).toEqual([])
    expect(problems(named('Hi {{1}}, all is ready.'))).toEqual(['components[0].variables invalid_value'])
    expect(problems(named('Hi {{1}}, all is ready.', [{ name: 'First name' }]))).toEqual([
      'components[0].variables invalid_value',
    ])
    expect(problems({ parameter_format: 'named', body: 'Hi {{1}}, all is ready.' })).toEqual(['body invalid_value'])
    expect(problems({ parameter_format: 'other', body: 'All is ready.' })).toEqual(['parameter_format invalid_value'])
    expect(onCloud({ parameter_format: 'named', category: 'authentication' }).template.parameter_format).toBe(
      'positional',
    )
  })

  test('may name its placeholders, which become positions and keep their names', () => {
    const { template } = onCloud({
      components: [
        {
          type: 'body',
          text: 'Hi {{name}}, order {{order_id}} is ready.',
          variables: [
            { name: 'order_id', example: 'A-1' },
            { name: 'name', example: 'Ana' },
          ],
        },
      ],
    })
    expect(template.components).toEqual([{ type: 'body', text: 'Hi {{1}}, order {{2}} is ready.' }])
    expect(template.variables).toEqual([
      { component: 'body', position: 1, name: 'name', example: 'Ana' },
      { component: 'body', position: 2, name: 'order_id', example: 'A-1' },
    ])
  })

  test.each([
    ['variables', { variables: [{ name: 'name', example: 'Ana' }, { example: 'A-1' }] }, ['name', null]],
    ['a list in a list', { example: { body_text: [['Ana', 'A-1']] } }, [null, null]],
    ['a plain list', { example: { body_text: ['Ana', 'A-1'] } }, [null, null]],
  ])('may give its examples as %s', (_, given, names) => {
    const text = 'Hi {{1}}, order {{2}} is ready.'
    const { template, problems } = onCloud({ components: [{ type: 'body', text, ...given }] })
    expect(problems).toEqual([])
    expect(template.variables.map(({ example }) => example)).toEqual(['Ana', 'A-1'])
    expect(template.variables.map(({ name }) => name)).toEqual(names)
  })

  test('may give examples in the named form of the platform', () => {
    const { template } = onCloud({
      components: [
        {
          type: 'HEADER',
          format: 'TEXT',
          text: 'Order {{no}}',
          example: { header_text_named_params: [{ param_name: 'no', example: 'A1' }] },
        },
        {
          type: 'BODY',
          text: 'Hi {{first_name}}, it is ready.',
          example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ann' }] },
        },
      ],
    })
    expect(template.variables).toEqual([
      { component: 'header', position: 1, name: 'no', example: 'A1' },
      { component: 'body', position: 1, name: 'first_name', example: 'Ann' },
    ])
  })

  test('keeps the sample of a media header and of a url button in each of their forms', () => {
    const headerOf = (example: unknown) =>
      onCloud({ components: [{ type: 'header', format: 'IMAGE', example }] }).template.components[0]
    expect(headerOf({ link: 'https://a.test/b.png' })).toMatchObject({ example: { link: 'https://a.test/b.png' } })
    expect(headerOf({ media_id: 'med_1' })).toMatchObject({ example: { media_id: 'med_1' } })
    expect(headerOf({ header_handle: ['4::x'] })).toMatchObject({ example: { handle: '4::x' } })
    expect(headerOf(undefined)).toMatchObject({ example: null })
    const buttons = [{ type: 'URL', text: 'Track', url: 'https://a.test/{{order}}', example: ['A1'] }]
    expect(onCloud({ components: [{ type: 'buttons', buttons }] }).template.components[0]).toEqual({
      type: 'buttons',
      buttons: [{ type: 'url', text: 'Track', url: 'https://a.test/{{1}}', example: 'A1' }],
    })
  })
})

describe('missing examples', () => {
  const input = {
    components: [
      { type: 'header', format: 'document' },
      { type: 'body', text: 'Hi {{1}}, order {{2}} is ready.' },
      { type: 'buttons', buttons: [{ type: 'url', text: 'Track', url: 'https://a.test/{{1}}' }] },
    ],
  }

  test('are made up on a sandbox channel, except for the file of a header', () => {
    const { template, places } = onSandbox(input)
    expect(template.variables.map(({ example }) => example)).toEqual(['Sample 1', 'Sample 2'])
    expect(checkTemplate(template, places).map(({ field, code }) => `${field} ${code}`)).toEqual([
      'components[0].example required',
    ])
  })

  test('are refused on a cloud channel', () => {
    const { template, places } = onCloud(input)
    expect(checkTemplate(template, places).map(({ field, code }) => `${field} ${code}`)).toEqual([
      'components[0].example required',
      'components[1].variables required',
      'components[2].buttons[0].example required',
    ])
  })
})

describe('optional parts', () => {
  const components = [
    { type: 'header', format: 'image', example: { link: 'https://a.test/b.png' }, optional: true },
    {
      type: 'buttons',
      buttons: [{ type: 'url', text: 'Go', url: 'https://a.test/{{1}}', example: 'x', optional: true }],
    },
  ]

  test('stay so on a sandbox channel and nowhere else', () => {
    expect(JSON.stringify(onSandbox({ components }).template)).toContain('"optional":true')
    expect(JSON.stringify(onCloud({ components }).template)).not.toContain('optional')
  })
})

describe('what cannot be read', () => {
  test('is reported with its place, all at once', () => {
    expect(
      problems({
        category: 'newsletter',
        language: 'english',
        components: [
          'body',
          { type: 'product_list' },
          { type: 'body' },
          { type: 'body', text: 7 },
          { type: 'header', format: 'gif' },
          { type: 'footer', txt: 'Acme' },
          { type: 'buttons' },
          { type: 'buttons', buttons: [{ type: 'voice_call' }, { type: 'url', text: 'Go' }, 'x'] },
        ],
      }),
    ).toEqual([
      'category invalid_value',
      'language invalid_language',
      'components[0] invalid_type',
      'components[1].type invalid_value',
      'components[2].text required',
      'components[3].text invalid_type',
      'components[4].format invalid_value',
      'components[5].txt unknown_field',
      'components[5].text required',
      'components[6].buttons required',
      'components[7].buttons[0].type invalid_value',
      'components[7].buttons[1].url required',
      'components[7].buttons[2] invalid_type',
    ])
  })

  test('is looked for in cards and in the form of an offer that Meta writes too', () => {
    const cards = (...supported_apps: unknown[]) => {
      const buttons = [{ type: 'otp', otp_type: 'one_tap', supported_apps }]
      return [{ type: 'carousel', cards: [{ components: [{ type: 'buttons', buttons }] }] }]
    }
    for (const app of [null, 'com.example.shop']) {
      const category = 'authentication'
      expect(problems({ category, components: cards(app) })).toEqual([
        'components[0].cards[0].components[0].buttons[0].supported_apps invalid_type',
      ])
    }
    const offer = { text: 'Only today!', has_expiration: 'true' }
    expect(problems({ components: [{ type: 'limited_time_offer', limited_time_offer: offer }] })).toEqual([
      'components[0].limited_time_offer.has_expiration invalid_type',
    ])
  })

  test('includes a body given twice and more descriptions than placeholders', () => {
    expect(problems({ body: 'Hi.', components: [{ type: 'body', text: 'Hi.' }] })).toEqual(['body mutually_exclusive'])
    const text = 'Hi {{1}}!'
    expect(problems({ components: [{ type: 'body', text, variables: ['a', 'b'] }] })).toEqual([
      'components[0].variables too_many_items',
    ])
    expect(problems({ components: [{ type: 'body', text, variables: 'a' }] })).toEqual([
      'components[0].variables invalid_type',
    ])
  })
})

describe('a field that another kind has', () => {
  const button = (one: object) => [{ type: 'buttons', buttons: [{ text: 'Go', ...one }] }]

  test.each([
    ['a quick reply with a url', button({ type: 'quick_reply', url: 'https://a.test/' }), 'buttons[0].url'],
    ['a quick reply with a number', button({ type: 'quick_reply', phone_number: '+1' }), 'buttons[0].phone_number'],
    ['a quick reply with an otp_type', button({ type: 'quick_reply', otp_type: 'one_tap' }), 'buttons[0].otp_type'],
    ['a quick reply with an example', button({ type: 'quick_reply', example: 'x' }), 'buttons[0].example'],
    ['an optional quick reply', button({ type: 'quick_reply', optional: true }), 'buttons[0].optional'],
    [
      'a url with a number',
      button({ type: 'url', url: 'https://a.test/', phone_number: '+1' }),
      'buttons[0].phone_number',
    ],
    [
      'a number with a url',
      button({ type: 'phone_number', phone_number: '+1', url: 'https://a.test/' }),
      'buttons[0].url',
    ],
    ['an optional text header', [{ type: 'header', text: 'Hi', optional: true }], 'optional'],
    ['a media header with a text', [{ type: 'header', format: 'image', text: 'Hi' }], 'text'],
    ['a media header with variables', [{ type: 'header', format: 'image', variables: ['a'] }], 'variables'],
    ['a body with buttons', [{ type: 'body', text: 'Hi.', buttons: [] }], 'buttons'],
    ['a body with a format', [{ type: 'body', text: 'Hi.', format: 'text' }], 'format'],
    ['a footer with variables', [{ type: 'footer', text: 'Hi.', variables: ['a'] }], 'variables'],
    ['buttons with a text', [{ type: 'buttons', text: 'x', buttons: [] }], 'text'],
  ])('is refused by its name: %s', (_, components, field) => {
    expect(problems({ components })).toEqual([`components[0].${field} unknown_field`])
  })

  test('may be null, which is the same as leaving it out', () => {
    const components = [
      { type: 'header', text: 'Hi', optional: null, buttons: null },
      ...button({ type: 'quick_reply', url: null, phone_number: null, example: null, otp_type: null, optional: null }),
    ]
    expect(problems({ components })).toEqual([])
  })

  test('is refused in an authentication template too, with a text of its own beside the expiry', () => {
    const components = [
      { type: 'body', variables: ['a'] },
      { type: 'footer', code_expiration_minutes: 5, text: 'Hurry up' },
      { type: 'buttons', buttons: [{ type: 'otp', url: 'https://a.test/' }] },
    ]
    expect(problems({ category: 'authentication', components })).toEqual([
      'components[0].variables unknown_field',
      'components[1].text mutually_exclusive',
      'components[2].buttons[0].url unknown_field',
    ])
    const echo = [{ type: 'footer', code_expiration_minutes: 5, text: 'This code expires in 5 minutes.' }]
    expect(problems({ category: 'authentication', components: echo })).toEqual([])
  })
})

describe('what is said about variables', () => {
  const body = (given: object, text = 'Hi {{1}}, order {{2}} is ready.') => [{ type: 'body', text, ...given }]
  const names = (...list: string[]) => ({ variables: list.map((name) => ({ name, example: 'x' })) })

  test('gives each a name of its own, and only names the text has', () => {
    expect(problems({ components: body(names('a', 'b')) })).toEqual([])
    expect(problems({ components: body(names('a', 'a')) })).toEqual(['components[0].variables[1] duplicate'])
    const text = 'Hi {{name}}, order {{order_id}} is ready.'
    expect(problems({ components: body(names('order_id', 'name'), text) })).toEqual([])
    expect(problems({ components: body(names('name', 'oder_id'), text) })).toEqual([
      'components[0].variables[1] invalid_value',
    ])
    expect(problems({ components: body({ variables: [{ name: 'name', example: 'x' }, 'y'] }, text) })).toEqual([
      'components[0].variables[1] invalid_value',
    ])
  })

  test('is not dropped when it is in no form we know', () => {
    const example = (value: unknown) => problems({ components: body({ example: value }) })
    expect(example({ body_text: [['Ana', 'A-1']] })).toEqual([])
    expect(example({ body_txt: [['Ana', 'A-1']] })).toEqual(['components[0].example.body_txt unknown_field'])
    expect(example({ link: 'https://a.test/' })).toEqual(['components[0].example.link unknown_field'])
    expect(example('Ana')).toEqual(['components[0].example invalid_type'])
    expect(example({ body_text: [[1, 2]] })).toEqual(['components[0].example.body_text invalid_type'])
    expect(problems({ components: body({ ...names('a', 'b'), example: { body_text: [['x', 'y']] } }) })).toEqual([
      'components[0].example mutually_exclusive',
    ])
    const url = { type: 'url', text: 'Go', url: 'https://a.test/{{1}}' }
    for (const given of [7, ['a', 'b']]) {
      expect(problems({ components: [{ type: 'buttons', buttons: [{ ...url, example: given }] }] })).toEqual([
        'components[0].buttons[0].example invalid_type',
      ])
    }
  })
})

describe('the sample of a media header', () => {
  const sample = (example: unknown) => problems({ components: [{ type: 'header', format: 'image', example }] })

  test.each([
    [{ link: 'not a url' }, '.link invalid_url'],
    [{ link: 'ftp://a.test/b.png' }, '.link invalid_url'],
    [{ link: '/b.png' }, '.link invalid_url'],
    [{ link: 7 }, '.link invalid_type'],
    [{ media_id: ' ' }, '.media_id invalid_type'],
    [{ lnk: 'https://a.test/b.png' }, '.lnk unknown_field'],
    [{ link: 'https://a.test/b.png', media_id: 'med_1' }, ' mutually_exclusive'],
    [{ header_handle: ['4::a', '4::b'] }, '.header_handle invalid_type'],
    ['https://a.test/b.png', ' invalid_type'],
  ])('like %j is refused', (example, problem) => {
    expect(sample(example)).toEqual([`components[0].example${problem}`])
  })

  test.each([[{ link: 'https://a.test/b.png', media_id: null }], [{ link: 'http://a.test/b.png' }], [null], [{}]])(
    'like %j is read',
    (example) => {
      expect(sample(example)).toEqual([])
    },
  )
})

describe('an authentication template', () => {
  test('needs nothing but its name', () => {
    const { template, places, problems } = onCloud({ category: 'authentication' })
    expect(problems).toEqual([])
    expect(checkTemplate(template, places)).toEqual([])
    expect(template.variables).toEqual([{ component: 'body', position: 1, name: 'code', example: '123456' }])
    expect(template.components.map(({ type }) => type)).toEqual(['body', 'buttons'])
  })

  test('may ask for the security advice, an expiry and a label', () => {
    const { template, problems } = onCloud({
      category: 'AUTHENTICATION',
      components: [
        { type: 'body', add_security_recommendation: true },
        { type: 'footer', code_expiration_minutes: 10 },
        { type: 'buttons', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
      ],
    })
    expect(problems).toEqual([])
    expect(template.components).toMatchObject([
      { type: 'body', add_security_recommendation: true },
      { type: 'footer', code_expiration_minutes: 10 },
      { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Copy' }] },
    ])
  })

  test('has no text of its own, and its parts belong to no other category', () => {
    const components = [
      { type: 'body', add_security_recommendation: true },
      { type: 'footer', code_expiration_minutes: 91 },
    ]
    expect(problems({ category: 'authentication', body: 'Code {{1}}.' })).toEqual(['body invalid_value'])
    expect(problems({ category: 'authentication', components })).toEqual([
      'components[1].code_expiration_minutes out_of_range',
    ])
    expect(problems({ components })).toEqual([
      'components[0].add_security_recommendation invalid_value',
      'components[1].code_expiration_minutes invalid_value',
    ])
  })
})
