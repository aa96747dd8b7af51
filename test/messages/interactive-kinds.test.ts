import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestOf } from '../../server/src/messages/send/request-of.ts'
import { findMessage } from '../../server/src/store/messages/messages.ts'
import { png, samples } from '../media/media-samples.ts'
import { engines } from '../support/postgres/databases.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Answer, aWorld, type World } from '../support/world.ts'

type Kind = {
  type: string
  /** Some types are for one country. */
  to?: string
  /** The fields of the request beside `to`, `type` and `body`. */
  own: object
  /** What reaches Meta as `interactive`, beside the text. */
  wire: object
  /** What the record keeps, where it is not what was given. */
  kept?: object
}

const body = 'Your order A-1001'

const jpeg = samples.find(({ mime }) => mime === 'image/jpeg')?.file ?? Buffer.alloc(0)
const shop = 'https://shop.example.test'
const gateway = { type: 'payment_gateway', payment_gateway: { type: 'razorpay', configuration_name: 'shop' } }

const kinds: Kind[] = [
  {
    type: 'cta_url',
    own: { button: 'Track it', url: 'https://shop.example.test/A-1001', footer: 'Acme' },
    wire: {
      type: 'cta_url',
      footer: { text: 'Acme' },
      action: {
        name: 'cta_url',
        parameters: { display_text: 'Track it', url: 'https://shop.example.test/A-1001' },
      },
    },
  },
  {
    type: 'location_request',
    own: {},
    wire: { type: 'location_request_message', action: { name: 'send_location' } },
  },
  {
    type: 'flow',
    own: { button: 'Book', flow: { id: '1197', token: 'A-1', screen: 'BOOKING', screen_data: { free_days: ['Mon'] } } },
    wire: {
      type: 'flow',
      action: {
        name: 'flow',
        parameters: {
          flow_message_version: '3',
          flow_id: '1197',
          flow_token: 'A-1',
          flow_cta: 'Book',
          mode: 'published',
          flow_action: 'navigate',
          flow_action_payload: { screen: 'BOOKING', data: { free_days: ['Mon'] } },
        },
      },
    },
    kept: {
      flow: {
        id: '1197',
        name: null,
        token: 'A-1',
        mode: 'published',
        action: 'navigate',
        screen: 'BOOKING',
        screen_data: { free_days: ['Mon'] },
      },
    },
  },
  {
    type: 'product',
    own: { catalog_id: '194', product_id: 'SKU-10' },
    wire: { type: 'product', action: { catalog_id: '194', product_retailer_id: 'SKU-10' } },
  },
  {
    type: 'product_list',
    own: {
      header: { type: 'text', text: 'Pots' },
      catalog_id: '194',
      product_sections: [
        { title: 'Small', product_ids: ['SKU-10', 'SKU-11'] },
        { title: 'Large', product_ids: ['SKU-12'] },
      ],
    },
    wire: {
      type: 'product_list',
      header: { type: 'text', text: 'Pots' },
      action: {
        catalog_id: '194',
        sections: [
          { title: 'Small', product_items: [{ product_retailer_id: 'SKU-10' }, { product_retailer_id: 'SKU-11' }] },
          { title: 'Large', product_items: [{ product_retailer_id: 'SKU-12' }] },
        ],
      },
    },
  },
  {
    type: 'catalog',
    own: { thumbnail_product_id: 'SKU-10' },
    wire: {
      type: 'catalog_message',
      action: { name: 'catalog_message', parameters: { thumbnail_product_retailer_id: 'SKU-10' } },
    },
  },
  {
    type: 'catalog',
    own: {},
    wire: { type: 'catalog_message', action: { name: 'catalog_message' } },
    kept: { thumbnail_product_id: null },
  },
  {
    type: 'product_carousel',
    own: { catalog_id: '194', product_ids: ['SKU-10', 'SKU-11'] },
    wire: {
      type: 'carousel',
      action: {
        cards: [0, 1].map((card_index) => ({
          card_index,
          type: 'product',
          action: { catalog_id: '194', product_retailer_id: `SKU-1${card_index}` },
        })),
      },
    },
  },
  {
    type: 'contact_info',
    own: {},
    wire: { type: 'request_contact_info', action: { name: 'request_contact_info' } },
  },
  {
    type: 'carousel',
    own: {
      cards: [
        { header: { type: 'image', link: `${shop}/a.png` }, body: 'A', button: 'Buy', url: `${shop}/a` },
        { header: { type: 'image', link: `${shop}/b.png` }, button: 'Buy', url: `${shop}/b` },
      ],
    },
    wire: {
      type: 'carousel',
      action: {
        cards: [
          {
            card_index: 0,
            type: 'cta_url',
            header: { type: 'image', image: { link: `${shop}/a.png` } },
            body: { text: 'A' },
            action: { name: 'cta_url', parameters: { display_text: 'Buy', url: `${shop}/a` } },
          },
          {
            card_index: 1,
            type: 'cta_url',
            header: { type: 'image', image: { link: `${shop}/b.png` } },
            action: { name: 'cta_url', parameters: { display_text: 'Buy', url: `${shop}/b` } },
          },
        ],
      },
    },
    kept: {
      cards: [
        { header: { type: 'image', link: `${shop}/a.png` }, body: 'A', button: 'Buy', url: `${shop}/a`, buttons: null },
        {
          header: { type: 'image', link: `${shop}/b.png` },
          body: null,
          button: 'Buy',
          url: `${shop}/b`,
          buttons: null,
        },
      ],
    },
  },
  {
    type: 'address',
    to: '+919876543210',
    own: {
      address: {
        country: 'IN',
        values: { name: 'Asha', in_pin_code: '666666' },
        saved_addresses: [{ id: 'home', values: { city: 'Mumbai' } }],
        validation_errors: { in_pin_code: 'There is no such pin code.' },
      },
    },
    wire: {
      type: 'address_message',
      action: {
        name: 'address_message',
        parameters: {
          country: 'IN',
          values: { name: 'Asha', in_pin_code: '666666' },
          saved_addresses: [{ id: 'home', value: { city: 'Mumbai' } }],
          validation_errors: { in_pin_code: 'There is no such pin code.' },
        },
      },
    },
  },
  {
    type: 'call_permission',
    own: {},
    wire: { type: 'call_permission_request', action: { name: 'call_permission_request' } },
  },
  {
    type: 'order_details',
    own: {
      order: {
        reference_id: 'A-1001',
        goods: 'physical',
        currency: 'INR',
        items: [
          { name: 'Echeveria', quantity: 2, amount: 10_000, product_id: 'SKU-10' },
          { name: 'Pot', quantity: 1, amount: 550 },
        ],
        tax: 1_000,
        shipping: 500,
        discount: 50,
        payment_settings: [gateway],
      },
    },
    wire: {
      type: 'order_details',
      action: {
        name: 'review_and_pay',
        parameters: {
          reference_id: 'A-1001',
          type: 'physical-goods',
          payment_settings: [gateway],
          currency: 'INR',
          total_amount: { value: 22_000, offset: 100 },
          order: {
            status: 'pending',
            items: [
              { retailer_id: 'SKU-10', name: 'Echeveria', amount: { value: 10_000, offset: 100 }, quantity: 2 },
              { name: 'Pot', amount: { value: 550, offset: 100 }, quantity: 1 },
            ],
            subtotal: { value: 20_550, offset: 100 },
            tax: { value: 1_000, offset: 100 },
            shipping: { value: 500, offset: 100 },
            discount: { value: 50, offset: 100 },
          },
        },
      },
    },
    kept: {
      order: {
        reference_id: 'A-1001',
        goods: 'physical',
        currency: 'INR',
        items: [
          { name: 'Echeveria', quantity: 2, amount: 10_000, product_id: 'SKU-10' },
          { name: 'Pot', quantity: 1, amount: 550, product_id: null },
        ],
        tax: 1_000,
        shipping: 500,
        discount: 50,
        payment_settings: [gateway],
      },
    },
  },
  {
    type: 'order_status',
    own: { order_status: { reference_id: 'A-1001', status: 'shipped', paid_at: '2026-11-19T10:00:00Z' } },
    wire: {
      type: 'order_status',
      action: {
        name: 'review_order',
        parameters: {
          reference_id: 'A-1001',
          order: { status: 'shipped' },
          payment: { status: 'captured', timestamp: 1_795_082_400 },
        },
      },
    },
    kept: {
      order_status: {
        reference_id: 'A-1001',
        status: 'shipped',
        description: null,
        paid_at: '2026-11-19T10:00:00Z',
      },
    },
  },
]

const order = {
  reference_id: 'A-1001',
  goods: 'digital',
  currency: 'BRL',
  items: [{ name: 'Book', quantity: 1, amount: 10_000 }],
  tax: 1_000,
  payment_settings: [gateway],
}

const refusals: [string, object, string, string][] = [
  ['a link without a label', { type: 'cta_url', url: 'https://a.test' }, 'button', 'required'],
  ['a link to nowhere', { type: 'cta_url', button: 'Go', url: 'a.test' }, 'url', 'invalid_url'],
  ['a link to a script', { type: 'cta_url', button: 'Go', url: 'javascript:alert(1)' }, 'url', 'invalid_url'],
  [
    'a location request with a header',
    { type: 'location_request', header: { type: 'text', text: 'x' } },
    'header',
    'unknown_field',
  ],
  ['a location request with a footer', { type: 'location_request', footer: 'x' }, 'footer', 'unknown_field'],
  ['a location request with a link', { type: 'location_request', url: 'https://a.test' }, 'url', 'unknown_field'],
  ['a Flow of nothing', { type: 'flow', button: 'Book', flow: {} }, 'flow', 'one_of_required'],
  [
    'a Flow in a mode of its own',
    { type: 'flow', button: 'Book', flow: { id: '1', mode: 'test' } },
    'flow.mode',
    'invalid_value',
  ],
  ['a product of no catalog', { type: 'product', product_id: 'p' }, 'catalog_id', 'required'],
  [
    'products without a header',
    { type: 'product_list', catalog_id: 'c', product_sections: [{ product_ids: ['p'] }] },
    'header',
    'required',
  ],
  ['a catalog with a button', { type: 'catalog', thumbnail_product_id: 'p', button: 'x' }, 'button', 'unknown_field'],
  [
    'a carousel of one card',
    { type: 'carousel', cards: [{ header: { type: 'image', link: shop }, button: 'Buy', url: shop }] },
    'cards',
    'too_short',
  ],
  ['an address outside India', { type: 'address', address: { country: 'IN' } }, 'to', 'invalid_value'],
  ['an address in Singapore', { type: 'address', address: { country: 'SG' } }, 'address.country', 'invalid_value'],
  [
    'a carousel of one product',
    { type: 'product_carousel', catalog_id: 'c', product_ids: ['p'] },
    'product_ids',
    'too_short',
  ],
  ['a request for the number with a footer', { type: 'contact_info', footer: 'x' }, 'footer', 'unknown_field'],
  ['a request for the number without a text', { type: 'contact_info', body: null }, 'body', 'required'],
  ['an order of nothing', { type: 'order_details', order: { ...order, items: [] } }, 'order.items', 'too_short'],
  [
    'an order that cannot be paid',
    { type: 'order_details', order: { ...order, payment_settings: [] } },
    'order.payment_settings',
    'too_short',
  ],
  [
    'an order paid in no way',
    { type: 'order_details', order: { ...order, payment_settings: [{}] } },
    'order.payment_settings[0].type',
    'required',
  ],
  [
    'an order that costs nothing',
    { type: 'order_details', order: { ...order, discount: 11_000 } },
    'order.discount',
    'invalid_value',
  ],
  [
    'an order with a reference in words',
    { type: 'order_details', order: { ...order, reference_id: 'My order' } },
    'order.reference_id',
    'invalid_format',
  ],
  [
    'an order in dollars',
    { type: 'order_details', order: { ...order, currency: 'USD' } },
    'order.currency',
    'invalid_value',
  ],
  [
    'the status of no order',
    { type: 'order_status', order_status: { reference_id: '', status: 'shipped' } },
    'order_status.reference_id',
    'invalid_format',
  ],
  ['a request to call with a footer', { type: 'call_permission', footer: 'x' }, 'footer', 'unknown_field'],
]

describe.each(engines)('interactive messages on %s', (engine) => {
  let world: World
  beforeAll(async () => {
    world = await aWorld(engine)
    for (const from of [world.customer, ...kinds.flatMap(({ to }) => to ?? [])]) {
      const message_id = `wamid.${from}`
      await world.control('POST', '/_sandbox/inbound', { from, text: 'Hi', message_id })
      await waitFor(async () => (await world.get(path(message_id))).status === 200, 10_000)
    }
  })
  afterAll(() => world.stop())

  const path = (messageId: string) => `/v1/chat/messages/${encodeURIComponent(messageId)}`
  const record = async (messageId: string) => (await world.get(path(messageId))).body.data
  const send = (form: object, query = '') =>
    world.post(`/v1/chat/messages/interactive${query}`, { to: world.customer, body, ...form })
  const arrivals = async (to = world.customer) =>
    (await world.control('GET', `/_sandbox/messages?to=${encodeURIComponent(to)}&limit=1000`)).body.data as {
      id: string
      payload: { interactive: object }
    }[]

  describe.each(kinds)('of type $type', ({ type, to, own, wire, kept }) => {
    const whom = to ? { to } : {}
    const interactive = { kind: type, header: null, body, footer: null, ...own, ...kept }

    test('reach Meta in its form, are kept, and are followed to their last status', async () => {
      const sent = await send({ type, ...own, ...whom })
      expect([sent.status, sent.body.error]).toEqual([200, undefined])
      const { message_id: id } = sent.body.data
      const arrived = (await arrivals(to)).find((one) => one.id === id)
      expect(arrived?.payload.interactive).toEqual({ body: { text: body }, ...wire })
      await waitFor(async () => (await record(id)).status === 'read', 10_000)
      expect(await record(id)).toMatchObject({ type: 'interactive', content: { text: body, interactive } })
    })

    test('are shown by a dry run, and with the call that sends them again', async () => {
      const dry = await send({ type, ...own, ...whom }, '?dry_run=true')
      expect(dry.body.data).toMatchObject({ would_send: true, content: { text: body, interactive }, problems: [] })
      const { message_id: id } = (await send({ type, ...own, ...whom })).body.data
      const { rt } = world.service
      const [row] = await rt.store.read(findMessage, { account_id: world.accountId, id })
      const again = row && (await requestOf(rt, row))
      expect(again?.path).toBe('/v1/chat/messages/interactive')
      const repeated = await world.post(again?.path ?? '', again?.body ?? {})
      expect((await record(repeated.body.data.message_id)).content).toEqual((await record(id)).content)
    })
  })

  test.each(refusals)('%s is refused with its field before Meta is asked', async (_, form, field, code) => {
    const before = (await arrivals()).length
    const refused: Answer = await send(form)
    expect([refused.status, refused.body.error.details]).toEqual([400, [expect.objectContaining({ field, code })]])
    expect(await arrivals()).toHaveLength(before)
  })

  test.each([
    ['product', { catalog_id: '194', product_id: 'SKU-10' }],
    ['call_permission', {}],
  ])('of type %s need no text', async (type, own) => {
    const sent = await send({ type, ...own, body: null })
    expect([sent.status, sent.body.error]).toEqual([200, undefined])
    const { message_id: id } = sent.body.data
    expect((await arrivals()).find((one) => one.id === id)?.payload.interactive).not.toHaveProperty('body')
    expect((await record(id)).content).toMatchObject({ text: null, interactive: { kind: type, body: null } })
    const { rt } = world.service
    const [row] = await rt.store.read(findMessage, { account_id: world.accountId, id })
    const again = row && (await requestOf(rt, row))
    expect((await world.post(again?.path ?? '', again?.body ?? {})).status).toBe(200)
  })

  describe('a carousel of uploaded pictures', () => {
    const buttons = [{ id: 'like', title: 'Like' }]
    const form = (...media: string[]) => {
      return { type: 'carousel', cards: media.map((media_id) => ({ header: { type: 'image', media_id }, buttons })) }
    }

    test('reaches Meta with the ids that Meta gave them, in order', async () => {
      const [first, second] = [await upload('a.png', png), await upload('b.jpg', jpeg)]
      const sent = await send(form(first, second))
      expect([sent.status, sent.body.error]).toEqual([200, undefined])
      const { message_id: id } = sent.body.data
      const arrived = (await arrivals()).find((one) => one.id === id)
      const picture = { type: 'image', image: { id: expect.stringMatching(/^\d+$/) } }
      const taps = { buttons: [{ type: 'quick_reply', quick_reply: { id: 'like', title: 'Like' } }] }
      expect(arrived?.payload.interactive).toMatchObject({
        action: { cards: [0, 1].map((card_index) => ({ card_index, header: picture, action: taps })) },
      })
      const dry = await send(form(second, first), '?dry_run=true')
      expect(dry.body.data).toMatchObject({ would_send: true, media: { media_id: second, mime_type: 'image/jpeg' } })
    })

    test('is refused where one of them is not there', async () => {
      const refused = await send(form(await upload('a.png', png), 'med_nobody'))
      expect([refused.status, refused.body.error.code]).toEqual([404, 'media_not_found'])
    })
  })

  async function upload(filename: string, content: Buffer): Promise<string> {
    const data = new FormData()
    data.set('file', new Blob([new Uint8Array(content)]), filename)
    const headers = { authorization: `Bearer ${world.token}` }
    const url = `${world.service.urls.base.replace('localhost', '127.0.0.1')}/v1/chat/media`
    const answer = (await (await fetch(url, { method: 'POST', headers, body: data })).json()) as Answer['body']
    return answer.data.media_id
  }
})
