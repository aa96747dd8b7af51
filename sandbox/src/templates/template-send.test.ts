import { describe, expect, test } from 'vitest'
import { type Json, record } from '../http/json.ts'
import { type Bench, errorIn, startBench } from '../test-support.ts'

const TEMPLATES: Json[] = [
  { name: 'plain', components: [{ type: 'BODY', text: 'Hi {{1}}, order {{2}} is here.' }] },
  {
    name: 'named',
    parameter_format: 'NAMED',
    components: [{ type: 'BODY', text: 'Hi {{first_name}}, order {{order}} is here.' }],
  },
  {
    name: 'rich',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hi {{1}}, look.' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Thanks' },
          { type: 'URL', text: 'Open', url: 'https://a.test/{{1}}' },
        ],
      },
    ],
  },
  {
    name: 'paper',
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Your bill.' },
    ],
  },
  {
    name: 'products',
    components: [
      { type: 'BODY', text: 'Some of it.' },
      { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] },
    ],
  },
  {
    name: 'sale',
    components: [
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BODY', text: 'The sale is on.' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'COPY_CODE', example: 'SAVE25' },
          { type: 'FLOW', text: 'Sign up', flow_id: '1' },
        ],
      },
    ],
  },
  {
    name: 'lenient',
    components: [
      { type: 'HEADER', format: 'IMAGE', optional: true },
      { type: 'BODY', text: 'Hi {{1}}, look.' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://a.test/{{1}}', optional: true }] },
    ],
  },
]

const text = (value: string, name?: string): Json => ({
  type: 'text',
  text: value,
  ...(name === undefined ? {} : { parameter_name: name }),
})
const body = (...parameters: Json[]): Json => ({ type: 'body', parameters })
const image: Json = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.test/i.png' } }] }
const url: Json = { type: 'button', sub_type: 'URL', index: '1', parameters: [text('abc')] }

const place = (location: Json): Json => ({ type: 'header', parameters: [{ type: 'location', location }] })
const shop = place({ latitude: '38.7', longitude: -9.1, name: 'Shop' })
const coupon = (code: string): Json => ({
  type: 'button',
  sub_type: 'copy_code',
  index: '0',
  parameters: [{ type: 'coupon_code', coupon_code: code }],
})
const flow: Json = { type: 'button', sub_type: 'flow', index: '1' }

describe('sending a template', () => {
  test('the values are filled in, in any of their forms', async () => {
    await using bench = await prepared()
    const currency = { type: 'currency', currency: { fallback_value: '$9.99', code: 'USD', amount_1000: 9990 } }
    expect((await send(bench, 'plain', [body(text('Ana'), currency)])).status).toBe(200)
    expect((await send(bench, 'named', [body(text('A-1', 'order'), text('Ana', 'first_name'))])).status).toBe(200)
    expect((await send(bench, 'rich', [image, body(text('Ana')), url])).status).toBe(200)
    expect(bench.sandbox.control.messages().data.map((message) => message.text)).toEqual([
      'Hi Ana, order $9.99 is here.',
      'Hi Ana, order A-1 is here.',
      'Hi Ana, look.',
    ])
  })

  test('a place, a coupon code and a flow are taken, the flow with and without values', async () => {
    await using bench = await prepared()
    const action = { type: 'action', action: { flow_token: 't', flow_action_data: { a: 1 } } }
    expect((await send(bench, 'sale', [shop, coupon('SAVE25'), flow])).status).toBe(200)
    expect((await send(bench, 'sale', [shop, coupon('SAVE25'), { ...flow, parameters: [action] }])).status).toBe(200)
  })

  test('an optional header and button of a control template may be left out', async () => {
    await using bench = await prepared()
    expect((await send(bench, 'lenient', [body(text('Ana'))])).status).toBe(200)
    expect((await send(bench, 'lenient', [image, body(text('Ana'))])).status).toBe(200)
  })

  const broken: [string, number, string, string, Json[] | undefined][] = [
    ['a template nobody made', 132001, 'template name (nothing) does not exist in en_US', 'nothing', undefined],
    [
      'too few values',
      132000,
      'body: number of localizable_params (1) does not match the expected number of params (2)',
      'plain',
      [body(text('Ana'))],
    ],
    [
      'no components at all',
      132000,
      'body: number of localizable_params (0) does not match the expected number of params (2)',
      'plain',
      undefined,
    ],
    ...['a\nb', 'a\tb', 'a     b'].map((value): (typeof broken)[number] => [
      `the value ${JSON.stringify(value)}`,
      132018,
      'body[0].text: Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
      'plain',
      [body(text(value), text('A-1'))],
    ]),
    [
      'a value without its name',
      131008,
      "Parameter 'body.parameter_name' is required",
      'named',
      [body(text('a'), text('b'))],
    ],
    [
      'a missing button value',
      131008,
      'buttons: Button at index 1 of type Url requires a parameter',
      'rich',
      [image, body(text('a'))],
    ],
    [
      'a missing media header',
      132012,
      'header: Format mismatch, expected IMAGE, received UNKNOWN',
      'rich',
      [body(text('a')), url],
    ],
    ['missing products', 131008, 'buttons: Button at index 0 of type Mpm requires a parameter', 'products', undefined],
    [
      'a missing coupon code',
      131008,
      'buttons: Button at index 0 of type Copy_code requires a parameter',
      'sale',
      [shop, flow],
    ],
    [
      'a coupon code over the limit',
      131009,
      'Param buttons[0] must be at most 20 characters long.',
      'sale',
      [shop, coupon('x'.repeat(21)), flow],
    ],
    [
      'a flow button that is not named',
      131009,
      'Components sub_type invalid at index: 1 and type: 0',
      'sale',
      [shop, coupon('SAVE25')],
    ],
    [
      'a missing place',
      132012,
      'header: Format mismatch, expected LOCATION, received UNKNOWN',
      'sale',
      [coupon('SAVE25'), flow],
    ],
    [
      'half a place',
      131008,
      "Parameter 'header.location.longitude' is required",
      'sale',
      [place({ latitude: 1 }), coupon('SAVE25'), flow],
    ],
    [
      'a place outside the globe',
      131009,
      "Parameter 'header.location.latitude' must be a number between -90 and 90",
      'sale',
      [place({ latitude: 91, longitude: 0 }), coupon('SAVE25'), flow],
    ],
    [
      'a text over the limit',
      132005,
      'body: translated text is longer than 1024 characters',
      'plain',
      [body(text('x'.repeat(1020)), text('y'))],
    ],
  ]

  test.each(broken)('%s is refused with %i', async (_what, code, details, name, components) => {
    await using bench = await prepared()
    const answer = await send(bench, name, components)
    expect(errorIn(answer).code).toBe(code)
    expect(record(errorIn(answer).error_data).details).toBe(details)
    expect(answer.status).toBe(code === 132001 ? 404 : 400)
  })

  test('the document of a header is a PDF', async () => {
    await using bench = await prepared()
    const upload = async (mime: string) => {
      const form = new FormData()
      form.set('messaging_product', 'whatsapp')
      form.set('file', new Blob(['%PDF-1.4'], { type: mime }), 'bill')
      const url = `${bench.sandbox.url}/v26.0/${bench.number.phone_number_id}/media`
      const headers = { authorization: `Bearer ${bench.number.access_token}` }
      const { id } = record(await (await fetch(url, { method: 'POST', headers, body: form })).json())
      return { type: 'header', parameters: [{ type: 'document', document: { id: String(id) } }] }
    }
    expect((await send(bench, 'paper', [await upload('application/pdf')])).status).toBe(200)
    const refused = errorIn(await send(bench, 'paper', [await upload('application/msword')]))
    expect([refused.code, record(refused.error_data).details]).toEqual([
      132012,
      'header: Format mismatch, expected a PDF document, received application/msword',
    ])
  })

  test('a language must match exactly, and a pending template does not exist yet', async () => {
    await using bench = await prepared()
    const template = { name: 'hello_world', language: { code: 'en' } }
    expect(errorIn(await bench.send({ to: '+12025550100', type: 'template', template })).code).toBe(132001)
    const waba = bench.number.waba_id
    const draft = {
      name: 'waiting',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hi.' }],
    }
    await bench.call('POST', `${waba}/message_templates`, draft)
    expect(errorIn(await send(bench, 'waiting', undefined)).code).toBe(132001)
  })
})

async function prepared(): Promise<Bench> {
  const bench = await startBench()
  bench.sandbox.control.addTemplates({ waba_id: bench.number.waba_id, templates: TEMPLATES })
  return bench
}

function send(bench: Bench, name: string, components: Json[] | undefined) {
  const template = { name, language: { code: 'en_US' }, ...(components === undefined ? {} : { components }) }
  return bench.send({ to: '+12025550100', type: 'template', template })
}
