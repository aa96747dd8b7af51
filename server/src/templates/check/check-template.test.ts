import { describe, expect, test } from 'vitest'
import { catalogTemplates } from '../catalog/catalog.ts'
import { normaliseTemplate } from '../content/normalise-template.ts'
import type { TemplateInput } from '../content/template-types.ts'
import { checkTemplate } from './check-template.ts'

function check(input: Partial<TemplateInput>) {
  const { template, places, problems } = normaliseTemplate({ name: 'order_ready', ...input }, 'sandbox')
  return [...problems, ...checkTemplate(template, places)]
}
const body = (text: string) => ({ type: 'body', text })
const bodyProblems = (text: string) => check({ components: [body(text)] }).map(({ message }) => message)
const withBody = (...components: unknown[]) =>
  check({ components: [body('Your order is ready.'), ...components] }).map(({ field, code }) => `${field} ${code}`)
const withButtons = (...buttons: unknown[]) => withBody({ type: 'buttons', buttons })
const reply = (text: string) => ({ type: 'quick_reply', text })
const url = (text: string, to = 'https://a.test/') => ({ type: 'url', text, url: to })
const phone = (text: string, number = '+351912345678') => ({ type: 'phone_number', text, phone_number: number })

describe('the example of the contract and the catalog', () => {
  test('break no rule', () => {
    const components = [
      { type: 'header', format: 'text', text: 'Your appointment' },
      {
        type: 'body',
        text: 'Hi {{1}}, your appointment moved to {{2}} at {{3}}.',
        variables: [
          { name: 'name', example: 'Ana' },
          { name: 'date', example: '20 November' },
          { name: 'time', example: '14:30' },
        ],
      },
      { type: 'footer', text: 'Reply STOP to opt out' },
      { type: 'buttons', buttons: [reply('Confirm'), reply('Change')] },
    ]
    expect(check({ name: 'appointment_moved', components })).toEqual([])
    for (const template of [...catalogTemplates('sandbox'), ...catalogTemplates('cloud')]) {
      expect(checkTemplate(template)).toEqual([])
    }
  })
})

describe('a name', () => {
  test('has 1 to 512 lower-case letters, digits and underscores', () => {
    const codeOf = (name: string) => check({ name, body: 'Hello there.' })[0]?.code
    expect(codeOf('a'.repeat(512))).toBeUndefined()
    expect(codeOf('a'.repeat(513))).toBe('too_long')
    expect(codeOf('')).toBe('required')
    expect(codeOf('Order-Ready')).toBe('invalid_format')
  })

  test('is suggested where it is nearly right', () => {
    expect(check({ name: 'Order-Ready!', body: 'Hello there.' })[0]?.message).toContain('order_ready')
  })
})

describe('a body', () => {
  test('is required, once, not blank and at most 1024 characters long', () => {
    expect(check({ components: [] })).toMatchObject([{ field: 'components', code: 'required' }])
    expect(withBody(body('Again.'))).toEqual(['components[1] duplicate'])
    expect(check({ body: ' ' })).toMatchObject([{ field: 'body', code: 'too_short' }])
    expect(check({ body: '😀'.repeat(1024) })).toEqual([])
    expect(check({ body: 'x'.repeat(1025) })).toMatchObject([{ field: 'body', code: 'too_long' }])
  })

  test.each([
    ['Hi {{2}}, see {{1}} now.', 'must come in order'],
    ['Hi {{1}}, see {{3}} now.', 'without gaps: {{2}} is missing'],
    ['Hi {{2}} there.', 'without gaps: {{1}} is missing'],
    ['Hi {{0}} there.', 'without gaps: {{1}} is missing'],
    ['Hi {{1}}, dear {{1}}.', 'Use each variable once'],
    ['Hi {{name}}, dear {{name}}.', 'Use each variable once'],
    ['{{1}} is your order.', 'must not start with a variable'],
    [' \n{{1}} is your order.', 'must not start with a variable'],
    ['Your order is {{1}}', 'must not end with a variable'],
    ['Your order is {{1}} ', 'must not end with a variable'],
    ['Hello dear {{1}}{{2}} here.', 'must not be next to each other'],
    ['Hello dear {{1}} {{2}} here.', 'must not be next to each other'],
    ['Hi {{1}}, {{2}}, {{3}}, {{4}}.', 'too short for 4 variables'],
    ['Hi {{a#b}} there.', 'must not contain #, $ or %'],
    ['Hi {{$1}} there.', 'must not contain #, $ or %'],
    ['Hi {{orderId}} there.', 'lower-case letters'],
    ['Hi {{}} there.', 'is empty'],
    ['Hi {{1}}, see {{name}} now.', 'either numbers or names'],
    ['Hi {{1} there.', 'Braces do not match'],
    ['Hi {{1}}, see }} now.', 'Braces do not match'],
  ])('like %j is refused in one sentence', (text, sentence) => {
    expect(bodyProblems(text)).toEqual([expect.stringContaining(sentence)])
  })

  test.each(['Hi {{1}}.', 'Hi {{1}}-{{2}}, you are welcome.', 'こんにちは{{1}}様', 'Use {x} and } freely.'])(
    'like %j is accepted',
    (text) => {
      expect(bodyProblems(text)).toEqual([])
    },
  )

  test('lacking examples is told which, with a list to copy', () => {
    const input = {
      name: 'a',
      components: [
        { type: 'body', text: 'Hi {{name}}, order {{order_id}}.', variables: [{ name: 'name', example: 'Ana' }] },
      ],
    }
    const { template, places } = normaliseTemplate(input, 'cloud')
    expect(checkTemplate(template, places)).toEqual([
      {
        field: 'components[0].variables',
        location: 'body',
        code: 'required',
        message: 'Give an example for every variable; missing: order_id.',
        example: [
          { name: 'name', example: 'Ana' },
          { name: 'order_id', example: 'Sample 2' },
        ],
      },
    ])
  })
})

describe('a header', () => {
  const header = (text: string) => withBody({ type: 'header', text })

  test('has at most 60 characters and one variable, which is the first', () => {
    expect(header('x'.repeat(60))).toEqual([])
    expect(header('x'.repeat(61))).toEqual(['components[1].text too_long'])
    expect(header('Order {{1}}')).toEqual([])
    expect(header('Order no_5: it is 2*2')).toEqual(['components[1].text invalid_format'])
    for (const words of ['*Sale*', 'Sale 🎉', 'A\nB', 'The _news_']) {
      expect(header(words)).toEqual(['components[1].text invalid_format'])
    }
    expect(header('Order no_5 is here, {{customer_name}}')).toEqual([])
    expect(header('Order {{1}} of {{2}}')).toEqual(['components[1].text too_many_items'])
    expect(header('Order {{2}}')).toEqual(['components[1].text invalid_format'])
  })
})

describe('a footer', () => {
  const footer = (text: string) => withBody({ type: 'footer', text })

  test('has at most 60 characters and no variable', () => {
    expect(footer('x'.repeat(60))).toEqual([])
    expect(footer('x'.repeat(61))).toEqual(['components[1].text too_long'])
    expect(footer('By {{1}}')).toEqual(['components[1].text invalid_value'])
  })
})

describe('buttons', () => {
  test('are 1 to 10, with at most 2 urls and 1 phone number', () => {
    const ten = Array.from({ length: 10 }, (_, index) => reply(`Reply ${index}`))
    expect(withButtons(...ten)).toEqual([])
    expect(withButtons(...ten, reply('One more'))).toEqual(['components[1].buttons too_many_items'])
    expect(withButtons()).toEqual(['components[1].buttons too_short'])
    expect(withButtons(url('a'), url('b'), phone('c'))).toEqual([])
    expect(withButtons(url('a'), url('b'), url('c'))).toEqual(['components[1].buttons too_many_items'])
    expect(withButtons(phone('a'), phone('b'))).toEqual(['components[1].buttons too_many_items'])
  })

  test('keep quick replies together at one end', () => {
    expect(withButtons(reply('a'), reply('b'), url('c'))).toEqual([])
    expect(withButtons(url('a'), reply('b'), reply('c'))).toEqual([])
    expect(withButtons(reply('a'), url('b'), reply('c'))).toEqual(['components[1].buttons invalid_value'])
    expect(withButtons(url('a'), reply('b'), phone('c'))).toEqual(['components[1].buttons invalid_value'])
  })

  test('have labels of at most 25 characters that differ and hold no variable', () => {
    // A character is what a person counts as one, not what a string does.
    for (const character of ['x', '👍']) expect(withButtons(reply(character.repeat(25)))).toEqual([])
    expect(withButtons(reply('x'.repeat(26)), reply(' '), reply('{{1}}'))).toEqual([
      'components[1].buttons[0].text too_long',
      'components[1].buttons[1].text too_short',
      'components[1].buttons[2].text invalid_value',
    ])
    expect(withButtons(reply('Yes'), reply('Yes'))).toEqual(['components[1].buttons[1].text duplicate'])
  })

  test('have urls with at most one variable, at the very end', () => {
    const urlProblem = (to: string) => withButtons(url('Go', to))[0]
    expect(urlProblem('https://a.test/orders/{{1}}')).toBeUndefined()
    expect(urlProblem('https://a.test/{{1}}/orders')).toBe('components[1].buttons[0].url invalid_format')
    expect(urlProblem('https://a.test/{{1}}{{2}}')).toBe('components[1].buttons[0].url invalid_format')
    expect(urlProblem('https://a.test/{{2}}')).toBe('components[1].buttons[0].url invalid_format')
    expect(urlProblem('{{1}}')).toBe('components[1].buttons[0].url invalid_url')
    expect(urlProblem('javascript:alert(1)')).toBe('components[1].buttons[0].url invalid_url')
    expect(urlProblem(`https://a.test/${'x'.repeat(2000)}`)).toBe('components[1].buttons[0].url too_long')
  })

  test('have phone numbers in international format', () => {
    expect(withButtons(phone('Call', '00351912345678'))).toEqual([
      'components[1].buttons[0].phone_number invalid_phone_number',
    ])
    expect(withButtons(phone('Call', 'US.123'))).toEqual(['components[1].buttons[0].phone_number invalid_phone_number'])
    expect(withButtons(phone('Call', '+1 (202) 555 - 01 - 00'))).toEqual([
      'components[1].buttons[0].phone_number too_long',
    ])
  })
})

describe('an authentication template', () => {
  const authentication = (...components: unknown[]) =>
    check({ category: 'authentication', components }).map(({ field, code }) => `${field} ${code}`)

  test('has no header, no text of its own in the footer and one button that copies the code', () => {
    expect(authentication({ type: 'header', text: 'Code' })).toEqual(['components[0] invalid_value'])
    expect(authentication({ type: 'footer', text: 'Acme' })).toEqual(['components[0] invalid_value'])
    expect(authentication({ type: 'buttons', buttons: [reply('Ok')] })).toEqual(['components[0] invalid_value'])
  })

  test('copies its code unless another kind is named', () => {
    const otp = (otp_type?: string) => ({ type: 'buttons', buttons: [{ type: 'otp', otp_type }] })
    for (const type of ['copy_code', 'COPY_CODE', undefined]) expect(authentication(otp(type))).toEqual([])
    expect(authentication(otp('two_tap'))).toEqual(['components[0].buttons[0].otp_type invalid_value'])
  })

  test('hands a code to an app that it names, with terms accepted where no tap is needed', () => {
    const app = { package_name: 'com.example.shop', signature_hash: 'K8a/AINcGX7' }
    const otp = (over: object) => authentication({ type: 'buttons', buttons: [{ type: 'otp', ...over }] })
    const place = 'components[0].buttons[0]'
    expect(otp({ otp_type: 'one_tap', supported_apps: [app] })).toEqual([])
    expect(otp({ otp_type: 'ONE_TAP' })).toEqual([`${place}.supported_apps required`])
    expect(otp({ otp_type: 'one_tap', supported_apps: Array(6).fill(app) })).toEqual([
      `${place}.supported_apps too_many_items`,
    ])
    const wrong = [
      { ...app, package_name: 'shop' },
      { ...app, signature_hash: 'short' },
    ]
    expect(otp({ otp_type: 'one_tap', supported_apps: wrong, autofill_text: 'x'.repeat(26) })).toEqual([
      `${place}.autofill_text too_long`,
      `${place}.supported_apps[0].package_name invalid_format`,
      `${place}.supported_apps[1].signature_hash invalid_format`,
    ])
    expect(otp({ otp_type: 'zero_tap', supported_apps: [app] })).toEqual([`${place}.zero_tap_terms_accepted required`])
    expect(otp({ otp_type: 'zero_tap', supported_apps: [app], zero_tap_terms_accepted: true })).toEqual([])
    expect(otp({ supported_apps: [app] })).toEqual([`${place}.supported_apps unknown_field`])
  })

  test('is the only one with a button of type otp', () => {
    expect(withButtons({ type: 'otp' })).toEqual(['components[1].buttons[0].type invalid_value'])
  })
})

describe('the parts beside texts', () => {
  const coupon = (example?: string) => ({ type: 'copy_code', example })
  const flow = (over: object = {}) => ({ type: 'flow', text: 'Sign up', flow_id: '1', navigate_screen: 'A', ...over })

  test('of a coupon code: one button, labelled by Meta, with an example of at most 20 characters', () => {
    expect(withButtons(coupon('SAVE25'))).toEqual([])
    expect(withButtons(coupon('x'.repeat(21)))).toEqual(['components[1].buttons[0].example too_long'])
    expect(withButtons(coupon())).toEqual(['components[1].buttons[0].example required'])
    expect(withButtons({ ...coupon('A'), text: 'Copy' })).toContain('components[1].buttons[0].text invalid_value')
    expect(withButtons(coupon('A'), coupon('B'))).toEqual(['components[1].buttons too_many_items'])
  })

  test('of a Flow: one button, with its id, and the first screen unless an endpoint chooses it', () => {
    expect(withButtons(flow())).toEqual([])
    expect(withButtons(flow({ navigate_screen: null }))).toEqual(['components[1].buttons[0].navigate_screen required'])
    expect(withButtons(flow({ navigate_screen: null, flow_action: 'DATA_EXCHANGE' }))).toEqual([])
    expect(withButtons(flow({ flow_id: null }))).toContain('components[1].buttons[0].flow_id required')
    expect(withButtons(flow(), flow({ text: 'Again' }))).toEqual(['components[1].buttons too_many_items'])
  })

  test('of a limited-time offer: marketing, short, with a code where it ends, and without a footer', () => {
    const offer = { type: 'limited_time_offer', text: 'Only today!', has_expiration: true }
    const buttons = [coupon('CHAIR25'), url('Shop')]
    const offering = (over: object[] = [], own = buttons, first: object = offer) =>
      check({
        category: 'marketing',
        components: [first, body('Chairs are cheaper.'), { type: 'buttons', buttons: own }, ...over],
      }).map(({ field, code }) => `${field} ${code}`)
    expect(offering()).toEqual([])
    expect(offering([], [url('Shop')], { ...offer, has_expiration: false })).toEqual([])
    expect(offering([], [url('Shop')])).toEqual(['components[2] required'])
    expect(offering([], [url('Shop'), coupon('A')])).toEqual(['components[2] invalid_value'])
    expect(offering([], [coupon('x'.repeat(16)), url('Shop')])).toEqual(['components[2].buttons[0].example too_long'])
    expect(offering([], buttons, { ...offer, text: 'x'.repeat(17) })).toEqual(['components[0].text too_long'])
    expect(offering([{ type: 'footer', text: 'Acme' }])).toEqual(['components[3] invalid_value'])
    expect(offering([{ type: 'header', text: 'Sale' }])).toEqual(['components[3] invalid_value'])
    const meta = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Only today!', has_expiration: true } }
    expect(offering([], buttons, meta)).toEqual([])
    const long = [offer, body('x'.repeat(601)), { type: 'buttons', buttons }]
    expect(check({ category: 'utility', components: long }).map(({ field }) => field)).toEqual([
      'category',
      'components[1].text',
    ])
  })

  test('of products: marketing, one button, and the header that goes with it', () => {
    const fields = (components: object[], category = 'marketing') =>
      check({ category, components }).map(({ field, code }) => `${field} ${code}`)
    const button = (...types: string[]) => ({ type: 'buttons', buttons: types.map((type) => ({ type })) })
    const words = body('Chairs are cheaper.')
    const product = { type: 'header', format: 'product' }
    expect(fields([words, button('catalog')])).toEqual([])
    expect(fields([words, button('catalog')], 'utility')).toEqual(['category invalid_value'])
    expect(fields([words, button('catalog', 'mpm')])).toEqual(['components[1] too_many_items'])
    expect(fields([{ type: 'header', text: 'Sale' }, words, button('mpm')])).toEqual([])
    expect(fields([words, button('mpm')])).toEqual(['components invalid_value'])
    expect(fields([product, words, button('spm')])).toEqual([])
    expect(fields([product, words])).toEqual(['components required'])
    expect(fields([product, body('x'.repeat(161)), button('spm')])).toEqual(['components[1].text too_long'])
  })

  test('of a carousel: marketing, below a body alone, with 2 to 10 cards that are built alike', () => {
    const image = { type: 'header', format: 'image', example: { link: 'https://a.test/1.png' } }
    const card = (...more: object[]) => ({ components: [image, ...more] })
    const carousel = (cards: object[], over: object[] = [], category = 'marketing') =>
      check({ category, components: [body('All chairs.'), { type: 'carousel', cards }, ...over] }).map(
        ({ field, code }) => `${field} ${code}`,
      )
    const cards = 'components[1].cards'
    expect(carousel([card(), card()])).toEqual([])
    expect(carousel([card()])).toEqual([`${cards} too_short`])
    expect(carousel(Array(11).fill(card()))).toEqual([`${cards} too_many_items`])
    expect(carousel([card(), card()], [{ type: 'footer', text: 'Acme' }], 'utility')).toEqual([
      'category invalid_value',
      'components[2] invalid_value',
    ])
    expect(carousel([card(body('One.')), card()])).toEqual([`${cards}[1] invalid_value`])
    expect(carousel([card(body('x'.repeat(161))), card(body('One.'))])).toEqual([`${cards}[0].components too_long`])
    const three = { type: 'buttons', buttons: [reply('A'), reply('B'), reply('C')] }
    expect(carousel([card(three), card(three)])).toEqual([`${cards}[0] invalid_value`, `${cards}[1] invalid_value`])
    expect(carousel([card({ type: 'footer', text: 'x' }), card()])).toEqual([
      `${cards}[0].components[1].type invalid_value`,
    ])
    const product = {
      components: [
        { type: 'header', format: 'product' },
        { type: 'buttons', buttons: [{ type: 'spm' }] },
      ],
    }
    expect(carousel([product, product])).toEqual([])
    expect(carousel([product, card()])).toContain(`${cards}[1] invalid_value`)
  })

  test('of a place: nothing but the header itself', () => {
    expect(withBody({ type: 'header', format: 'location' })).toEqual([])
    expect(withBody({ type: 'header', format: 'location', text: 'Here' })).toEqual(['components[1].text unknown_field'])
  })
})

test.each([
  ['authentication', 30, 900, true],
  ['utility', 30, 43_200, true],
  ['marketing', 43_200, 2_592_000, false],
])(
  'a time to deliver of %s lies between %i and %i seconds, or is 30 days',
  (category, least, most, takesThirtyDays) => {
    const fields = (message_send_ttl_seconds: number) =>
      check({ category, ...(category === 'authentication' ? {} : { body: 'Hello there.' }), message_send_ttl_seconds })
    for (const seconds of [least, most]) expect(fields(seconds)).toEqual([])
    for (const seconds of [least - 1, most + 1]) {
      expect(fields(seconds)).toMatchObject([{ field: 'message_send_ttl_seconds', code: 'out_of_range' }])
    }
    expect(fields(-1)).toHaveLength(takesThirtyDays ? 0 : 1)
  },
)
