import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogTemplates } from '../catalog/catalog.ts'
import { normaliseTemplate } from '../content/normalise-template.ts'
import type { TemplateContent, TemplateInput } from '../content/template-types.ts'
import { exampleComponents } from './example-components.ts'
import { matchParameters } from './match-parameters.ts'

function aTemplate(input: Partial<TemplateInput>): TemplateContent {
  return normaliseTemplate({ name: 'a', ...input }, 'cloud').template
}
function catalog(name: string, kind: 'sandbox' | 'cloud' = 'sandbox'): TemplateContent {
  const found = catalogTemplates(kind).find((template) => template.name === name && template.language === 'en_US')
  if (!found) throw new Error(name)
  return found
}
const order = catalog('order_confirmation')
const text = (value: string) => ({ type: 'text', text: value })
const body = (...parameters: unknown[]) => ({ type: 'body', parameters })
const full = [text('Ana'), text('A-1001'), text('€42.00')]

const fits = (template: TemplateContent, components: unknown) => {
  const result = matchParameters(template, components)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result
}
const refusal = (template: TemplateContent, components: unknown) => {
  const result = matchParameters(template, components)
  return result.ok ? null : { error: result.error, ...result.problems[0] }
}
const codes = (template: TemplateContent, ...components: unknown[]) => {
  const result = matchParameters(template, components)
  return result.ok ? [] : result.problems.map(({ field, code }) => `${field} ${code}`)
}

describe('values that fit', () => {
  test('give the text of the message and what the platform is told', () => {
    const { components, rendered } = fits(order, [body(...full)])
    expect(rendered.text).toBe('Hi Ana, your order A-1001 is confirmed. Total: €42.00.')
    expect(components).toEqual([{ type: 'body', parameters: full }])
  })

  test('may take every form of the specification, in any order of components', () => {
    const { components, rendered } = fits(order, [
      { type: 'button', sub_type: 'url', index: 0, parameters: [text('A-1001')] },
      body(text('Ana'), text('A-1001'), { type: 'currency', currency: { code: 'EUR', amount_1000: 42_000 } }),
      { type: 'header', parameters: [{ type: 'image', image: { link: 'https://cdn.example.test/a.png' } }] },
    ])
    expect(components).toEqual([
      { type: 'header', parameters: [{ type: 'image', media: { link: 'https://cdn.example.test/a.png' } }] },
      {
        type: 'body',
        parameters: [
          text('Ana'),
          text('A-1001'),
          { type: 'currency', currency: { fallback_value: '€42.00', code: 'EUR', amount_1000: 42_000 } },
        ],
      },
      { type: 'button', sub_type: 'url', index: 0, parameters: [text('A-1001')] },
    ])
    expect(rendered).toEqual({
      header: { kind: 'image', link: 'https://cdn.example.test/a.png' },
      text: 'Hi Ana, your order A-1001 is confirmed. Total: €42.00.',
      footer: null,
      buttons: [{ type: 'url', text: 'View order', value: 'https://shop.example.test/orders/A-1001' }],
    })
  })

  test('may be text, currency or date at every position of the body', () => {
    const forms = [
      text('x'),
      { type: 'currency', currency: { code: 'USD', amount_1000: 1_000 } },
      { type: 'date_time', date_time: { fallback_value: 'May 5', calendar: 'GREGORIAN' } },
    ]
    for (const a of forms) {
      for (const b of forms) for (const c of forms) expect(fits(order, [body(a, b, c)]).components).toHaveLength(1)
    }
  })

  test('use the fallback text of a currency where one is given, even for a code too new to be known', () => {
    const currency = (code: string) => ({
      type: 'currency',
      currency: { code, amount_1000: 42_000, fallback_value: 'about 42' },
    })
    expect(fits(order, [body(text('a'), text('b'), currency('EUR'))]).rendered.text).toContain('Total: about 42.')
    expect(fits(order, [body(text('a'), text('b'), currency('ZZZ'))]).rendered.text).toContain('Total: about 42.')
    expect(codes(order, body(text('a'), text('b'), currency('EURO')))).toEqual([
      'components[0].parameters[2].currency.code invalid_value',
    ])
  })

  test('are filled once, so that a value cannot pull in another', () => {
    expect(fits(order, [body(text('{{3}}'), text('$&'), text('x'))]).rendered.text).toBe(
      'Hi {{3}}, your order $& is confirmed. Total: x.',
    )
  })

  test('are not needed where the template has no variables', () => {
    for (const components of [undefined, null, [], [body()]]) {
      expect(fits(catalog('hello_world'), components).components).toEqual([])
    }
  })
})

describe('values that do not fit', () => {
  test('are refused with the names of the variables', () => {
    expect(refusal(order, [body(text('Ana'), text('A-1001'))])).toMatchObject({
      error: 'template_parameter_mismatch',
      field: 'components[0].parameters',
      code: 'required',
      message: 'body needs 3 values (name, order_id, total), got 2',
    })
    expect(refusal(order, [body(...full, text('x'))])).toMatchObject({
      code: 'too_many_items',
      message: 'body needs 3 values (name, order_id, total), got 4',
    })
    expect(refusal(order, undefined)).toMatchObject({ field: 'components', message: expect.stringContaining('got 0') })
    expect(refusal(aTemplate({ body: 'Hi {{1}}!' }), [])?.message).toBe('body needs 1 value ({{1}}), got 0')
    expect(refusal(catalog('hello_world'), [body(text('x'))])?.message).toBe('body takes no values, got 1')
  })

  test('come back with a whole `components` that works when copied', () => {
    const templates = [
      ...catalogTemplates('sandbox'),
      ...catalogTemplates('cloud'),
      aTemplate({
        components: [
          { type: 'header', format: 'document', example: { header_handle: ['4::x'] } },
          { type: 'body', text: 'Hi {{name}}, see this.', variables: [{ name: 'name', example: 'Ana' }] },
          { type: 'buttons', buttons: [{ type: 'url', text: 'Go', url: 'https://a.test/{{1}}', example: 'x' }] },
        ],
      }),
      aTemplate({ category: 'authentication' }),
    ]
    for (const template of templates) {
      const refused = refusal(template, [body(...full, text('4'), text('5'))])
      expect(refused?.example).toEqual(exampleComponents(template))
      expect(matchParameters(template, refused?.example)).toMatchObject({ ok: true })
    }
  })

  test('include a body that becomes longer than 1024 characters and a header longer than 60', () => {
    const around = fits(order, [body(text('a'), text('b'), text('c'))]).rendered.text.length - 1
    const named = (length: number) => codes(order, body(text('😀'.repeat(length)), text('b'), text('c')))
    expect(named(1024 - around)).toEqual([])
    expect(named(1025 - around)).toEqual(['components too_long'])
    const template = aTemplate({
      components: [
        { type: 'header', text: 'Order {{1}}' },
        { type: 'body', text: 'It is ready.' },
      ],
    })
    expect(fits(template, [{ type: 'header', parameters: [text('x'.repeat(54))] }]).rendered.header).toMatchObject({
      kind: 'text',
    })
    expect(codes(template, { type: 'header', parameters: [text('x'.repeat(55))] })).toEqual(['components too_long'])
  })

  test.each(['a\nb', 'a\rb', 'a\tb', 'a     b'])('include a text such as %j, with the field named', (value) => {
    expect(refusal(order, [body(text('Ana'), text(value), text('€42.00'))])).toMatchObject({
      error: 'validation_failed',
      field: 'components[0].parameters[1].text',
      code: 'invalid_format',
    })
    fits(order, [body(text('Ana'), text('a    b'), text('€42.00'))])
  })

  test('never repeat a value in the refusal', () => {
    const refused = matchParameters(order, [body(text('secret-value'), text('secret-value'))])
    expect(JSON.stringify(refused)).not.toContain('secret-value')
  })
})

describe('a header', () => {
  const invoice = aTemplate({
    components: [
      { type: 'header', format: 'document', example: { link: 'https://a.test/x.pdf' } },
      { type: 'body', text: 'Your invoice.' },
    ],
  })
  const header = (...parameters: unknown[]) => ({ type: 'header', parameters })

  test('takes its media by link or by upload', () => {
    expect(
      fits(invoice, [header({ type: 'document', document: { media_id: 'med_1', filename: 'i.pdf' } })]),
    ).toMatchObject({
      components: [
        { type: 'header', parameters: [{ type: 'document', media: { media_id: 'med_1', filename: 'i.pdf' } }] },
      ],
      rendered: { header: { kind: 'document', media_id: 'med_1', filename: 'i.pdf' } },
    })
    expect(codes(invoice, header({ type: 'document', document: { link: 'http://a.test/i.pdf' } }))).toEqual([])
  })

  test('is required unless the template marks it optional', () => {
    expect(refusal(invoice, [])).toMatchObject({ code: 'required', message: 'header needs a document, got none' })
    expect(codes(order, body(...full))).toEqual([])
  })

  test('of another kind, given twice or where none belongs is refused', () => {
    const image = { type: 'image', image: { media_id: 'med_1' } }
    expect(refusal(invoice, [header(image)])?.message).toBe('header needs a document, got image')
    const document = { type: 'document', document: { media_id: 'med_1' } }
    expect(codes(invoice, header(document, document))).toEqual(['components[0].parameters[1] too_many_items'])
    expect(codes(invoice, header(document), header(document))).toEqual(['components[1] duplicate'])
    expect(codes(catalog('order_confirmation', 'cloud'), header(image), body(...full))).toEqual([
      'components[0].parameters too_many_items',
    ])
  })
})

describe('buttons', () => {
  const template = aTemplate({
    components: [
      { type: 'body', text: 'Ready.' },
      {
        type: 'buttons',
        buttons: [
          { type: 'quick_reply', text: 'Thanks' },
          { type: 'url', text: 'Track', url: 'https://a.test/{{1}}', example: 'x' },
          { type: 'url', text: 'Shop', url: 'https://a.test/' },
        ],
      },
    ],
  })
  const track = { type: 'button', sub_type: 'URL', index: '1', parameters: [text('abc')] }

  test('take an index as integer or digits and come out in the order of the template', () => {
    const thanks = {
      type: 'button',
      sub_type: 'quick_reply',
      index: 0,
      parameters: [{ type: 'payload', payload: 'P1' }],
    }
    expect(fits(template, [track, thanks]).components).toEqual([
      { type: 'button', sub_type: 'quick_reply', index: 0, parameters: [{ type: 'payload', payload: 'P1' }] },
      { type: 'button', sub_type: 'url', index: 1, parameters: [text('abc')] },
    ])
    expect(fits(template, [track]).rendered.buttons).toEqual([
      { type: 'quick_reply', text: 'Thanks', value: null },
      { type: 'url', text: 'Track', value: 'https://a.test/abc' },
      { type: 'url', text: 'Shop', value: 'https://a.test/' },
    ])
  })

  test('with a variable need its value', () => {
    expect(refusal(template, [])?.message).toBe('button 1 (Track) needs 1 text value, got none')
  })

  test('that do not exist, are of another type or take no value are refused', () => {
    const button = (index: unknown, sub_type: string, ...parameters: unknown[]) => ({
      type: 'button',
      sub_type,
      index,
      parameters,
    })
    expect(codes(template, track, button(3, 'url', text('x')))).toEqual(['components[1].index out_of_range'])
    expect(codes(template, track, button(0, 'url', text('x')))).toEqual(['components[1].sub_type invalid_value'])
    expect(codes(template, track, button(2, 'url', text('x')))).toEqual(['components[1].parameters too_many_items'])
    expect(codes(template, track, button(0, 'quick_reply', text('x')))).toEqual([
      'components[1].parameters[0].type invalid_value',
    ])
    expect(codes(template, track, track)).toEqual(['components[1].index duplicate'])
    expect(codes(template, button(1.5, 'url', text('x')))).toEqual(['components[0].index invalid_value'])
    expect(codes(template, button(-1, 'url', text('x')))).toEqual(['components[0].index invalid_value'])
    expect(codes(template, button(null, 'url', text('x')))).toEqual(['components[0].index required'])
    expect(codes(template, button(1, 'copy_code', text('x')))).toEqual(['components[0].sub_type invalid_value'])
  })
})

describe('parts that are made in WhatsApp Manager', () => {
  const sale: TemplateContent = {
    ...aTemplate({ body: 'The sale is on.' }),
    components: [
      { type: 'header', format: 'location' },
      { type: 'body', text: 'The sale is on.' },
      {
        type: 'buttons',
        buttons: [
          { type: 'copy_code', text: '', example: 'SAVE25' },
          { type: 'flow', text: 'Sign up' },
        ],
      },
    ],
  }
  const location = { latitude: 38.7071, longitude: -9.1355, name: 'Shop', address: 'Quay 1' }
  const header = (value: unknown) => ({ type: 'header', parameters: [{ type: 'location', location: value }] })
  const coupon = (code: unknown) => ({
    type: 'button',
    sub_type: 'COPY_CODE',
    index: '0',
    parameters: [{ type: 'coupon_code', coupon_code: code }],
  })
  const flow = (action: unknown) => ({
    type: 'button',
    sub_type: 'flow',
    index: 1,
    parameters: [{ type: 'action', action }],
  })

  test("take a place and a coupon code in Meta's form; a flow button is named even without values", () => {
    const { components, rendered } = fits(sale, [
      header({ ...location, latitude: '38.7071', longitude: '-9.1355' }),
      coupon('SAVE25'),
    ])
    expect(components).toEqual([
      { type: 'header', parameters: [{ type: 'location', location }] },
      {
        type: 'button',
        sub_type: 'copy_code',
        index: 0,
        parameters: [{ type: 'coupon_code', coupon_code: 'SAVE25' }],
      },
      { type: 'button', sub_type: 'flow', index: 1, parameters: [] },
    ])
    expect(rendered).toEqual({
      header: { kind: 'location', ...location },
      text: 'The sale is on.',
      footer: null,
      buttons: [
        { type: 'copy_code', text: 'Copy code', value: 'SAVE25' },
        { type: 'flow', text: 'Sign up', value: null },
      ],
    })
  })

  test('pass on what a Flow starts with, with the keys as they are', () => {
    const action = { flow_token: 'A-1', flow_action_data: { orderId: 1, nested: { a: [] } } }
    const { components } = fits(sale, [header(location), coupon('SAVE25'), flow(action)])
    expect(components[2]).toEqual(flow(action))
  })

  test('are refused without their values, with a form to copy', () => {
    const result = matchParameters(sale, [])
    const problems = result.ok ? [] : result.problems
    expect(problems.map(({ message }) => message)).toEqual([
      'header needs a location, got none',
      'button 0 (copy_code) needs 1 coupon_code value, got none',
    ])
    expect(fits(sale, problems[0]?.example).rendered.buttons[0]?.value).toBe('SAVE25')
  })

  test.each([
    [[header({ ...location, latitude: 90.1 })], 'parameters[0].location.latitude out_of_range'],
    [[header({ ...location, longitude: 'east' })], 'parameters[0].location.longitude invalid_type'],
    [[header({ latitude: 1 })], 'parameters[0].location.longitude required'],
    [[header({ ...location, name: 'a\nb' })], 'parameters[0].location.name invalid_format'],
    [[header({ ...location, url: 'https://a.test' })], 'parameters[0].location.url unknown_field'],
    [[coupon('')], 'parameters[0].coupon_code too_short'],
    [[coupon('x'.repeat(21))], 'parameters[0].coupon_code too_long'],
    [[coupon(25)], 'parameters[0].coupon_code invalid_type'],
    [[flow('token')], 'parameters[0].action invalid_type'],
    [[flow({ flow_token: 1 })], 'parameters[0].action.flow_token invalid_type'],
    [[flow({ flow_action_data: [] })], 'parameters[0].action.flow_action_data invalid_type'],
    [[flow({ screen: 'A' })], 'parameters[0].action.screen unknown_field'],
  ])('refuse the values %j', (components, problem) => {
    expect(codes(sale, ...components)).toEqual([`components[0].${problem}`])
  })

  test('without a form here are named where they are given', () => {
    const order = { ...flow({ flow_token: 'A' }), sub_type: 'ORDER_DETAILS' }
    expect(refusal(sale, [order])).toMatchObject({
      field: 'components[0].sub_type',
      message:
        'Use url, quick_reply, copy_code, flow, catalog, mpm. A template with an order details button cannot be sent with this gateway.',
    })
  })

  test('of products take 10 sections and 30 products, with titles of 24 characters', () => {
    const sections = (count: number, each: number, title = 'Chairs') => ({
      thumbnail_product_retailer_id: 'sku-1',
      sections: Array.from({ length: count }, () => ({
        title,
        product_items: Array.from({ length: each }, () => ({ product_retailer_id: 'sku-1' })),
      })),
    })
    const cart: TemplateContent = {
      ...aTemplate({ body: 'Your cart.' }),
      components: [
        { type: 'body', text: 'Your cart.' },
        { type: 'buttons', buttons: [{ type: 'mpm', text: 'View items' }] },
      ],
    }
    const given = (action: unknown) => ({ ...flow(action), sub_type: 'mpm', index: 0 })
    fits(cart, [given(sections(10, 3))])
    const action = 'components[0].parameters[0].action'
    expect(codes(cart, given(sections(11, 1)))).toEqual([`${action}.sections too_many_items`])
    expect(codes(cart, given(sections(2, 16)))).toEqual([`${action}.sections too_many_items`])
    expect(codes(cart, given(sections(1, 1, 'x'.repeat(25))))).toEqual([`${action}.sections[0].title too_long`])
    expect(codes(cart, given(sections(1, 0)))).toEqual([`${action}.sections[0].product_items too_short`])
    expect(codes(cart, given({ sections: sections(1, 1).sections }))).toEqual([
      `${action}.thumbnail_product_retailer_id required`,
    ])
  })

  test('take 20 characters of a code, and only a value of their own kind', () => {
    fits(sale, [header(location), coupon('x'.repeat(20))])
    const asText = { ...coupon('x'), parameters: [text('SAVE25')] }
    expect(codes(sale, header(location), asText)).toEqual(['components[1].parameters[0].type invalid_value'])
    const image = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.test/i.png' } }] }
    expect(codes(sale, image, coupon('x'))).toEqual(['components[0].parameters[0].type invalid_value'])
  })
})

describe('named values', () => {
  const named = (name: string, value: string) => ({ type: 'text', parameter_name: name, text: value })

  test('may come in any order, and the platform gets names where it knows the template by names', () => {
    const given = [body(named('total', '€1'), named('name', 'Ana'), named('order_id', 'A-1'))]
    const { components, rendered } = fits(order, given)
    expect(rendered.text).toBe('Hi Ana, your order A-1 is confirmed. Total: €1.')
    expect(components).toEqual([{ type: 'body', parameters: [text('Ana'), text('A-1'), text('€1')] }])
    const there = fits({ ...order, parameter_format: 'named' }, [body(...full)])
    const [filled] = there.components
    const second = filled && 'parameters' in filled ? filled.parameters[1] : null
    expect(second).toEqual({ type: 'text', parameter_name: 'order_id', text: 'A-1001' })
  })

  test('must be exactly those of the template', () => {
    expect(refusal(order, [body(named('name', 'a'), named('name', 'b'), named('total', 'c'))])?.message).toContain(
      '(name, order_id, total)',
    )
    expect(codes(order, body(named('name', 'a'), text('b'), text('c')))).toEqual([
      'components[0].parameters invalid_value',
    ])
    const nameless = aTemplate({ body: 'Hi {{1}}!' })
    expect(codes(nameless, body(named('name', 'a')))).toEqual(['components[0].parameters invalid_value'])
  })
})

describe('an authentication template', () => {
  const login = aTemplate({ category: 'authentication' })

  test('needs its code once, and the platform gets it twice', () => {
    expect(fits(login, [body(text('123456'))]).components).toEqual([
      { type: 'body', parameters: [text('123456')] },
      { type: 'button', sub_type: 'url', index: 0, parameters: [text('123456')] },
    ])
  })

  test('has a code of at most 15 characters', () => {
    expect(codes(login, body(text('1'.repeat(16))))).toEqual(['components[0] too_long'])
  })
})

describe('components that cannot be read', () => {
  test.each<[unknown, string]>([
    ['x', 'components invalid_type'],
    [['x'], 'components[0] invalid_type'],
    [[{ type: 'footer' }], 'components[0].type invalid_value'],
    [[{ type: 'buttons' }], 'components[0].type invalid_value'],
    [[{ type: 'body', params: [] }], 'components[0].params unknown_field'],
    [[{ type: 'body', parameters: {} }], 'components[0].parameters invalid_type'],
    [[{ type: 'body', index: 0 }], 'components[0] invalid_value'],
    [[body('Ana')], 'components[0].parameters[0].type invalid_value'],
    [[body({ type: 'gif' })], 'components[0].parameters[0].type invalid_value'],
    [[body({ type: 'text' })], 'components[0].parameters[0].text required'],
    [[body({ type: 'text', text: 7 })], 'components[0].parameters[0].text invalid_type'],
    [[body({ type: 'text', text: ' ' })], 'components[0].parameters[0].text too_short'],
    [[body({ type: 'text', text: 'a', image: {} })], 'components[0].parameters[0].image unknown_field'],
    [
      [body({ type: 'currency', currency: { code: 'EUR' } })],
      'components[0].parameters[0].currency.amount_1000 required',
    ],
    [
      [body({ type: 'currency', currency: { code: 'EUR', amount_1000: '42' } })],
      'components[0].parameters[0].currency.amount_1000 invalid_type',
    ],
    [
      [body({ type: 'currency', currency: { code: 'EUR', amount_1000: 4.2 } })],
      'components[0].parameters[0].currency.amount_1000 invalid_value',
    ],
    [[body({ type: 'date_time', date_time: {} })], 'components[0].parameters[0].date_time.fallback_value required'],
    [[body({ type: 'image', image: {} })], 'components[0].parameters[0].image one_of_required'],
    [
      [body({ type: 'image', image: { link: 'https://a.test/', media_id: 'm' } })],
      'components[0].parameters[0].image mutually_exclusive',
    ],
    [
      [body({ type: 'image', image: { id: 'med_1', media_id: 'med_1' } })],
      'components[0].parameters[0].image mutually_exclusive',
    ],
    [
      [body({ type: 'image', image: { id: '1013859600285441' } })],
      'components[0].parameters[0].image.id invalid_value',
    ],
    [[body({ type: 'image', image: { link: 'a.png' } })], 'components[0].parameters[0].image.link invalid_url'],
    [[body({ type: 'image', image: { link: 'file:///etc' } })], 'components[0].parameters[0].image.link invalid_url'],
  ])('such as %j are refused at their place', (components, expected) => {
    const refused = refusal(order, components)
    expect(`${refused?.field} ${refused?.code}`).toBe(expected)
    expect(refused).toMatchObject({ error: 'validation_failed', example: exampleComponents(order) })
  })

  test('never make the match throw', () => {
    const anyValue = fc.oneof(fc.jsonValue(), fc.constantFrom('text', 'body', 'currency', 0, '0'))
    const anyParameter = fc.dictionary(fc.constantFrom('type', 'text', 'currency', 'image', 'parameter_name'), anyValue)
    const anyComponent = fc.record(
      {
        type: fc.oneof(fc.constantFrom('header', 'body', 'button'), fc.jsonValue()),
        sub_type: fc.oneof(fc.constant('url'), fc.jsonValue()),
        index: fc.oneof(fc.nat(12), fc.jsonValue()),
        parameters: fc.oneof(fc.array(anyParameter), fc.jsonValue()),
      },
      { requiredKeys: ['type'] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(anyComponent)), (components) => {
        const result = matchParameters(order, components)
        if (!result.ok) expect(result.problems.length).toBeGreaterThan(0)
        else expect(result.components.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })
})
