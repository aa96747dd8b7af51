import { expect } from 'vitest'

/** A part of a template from the draft to the message: what is written, what Meta gets, and what a customer sees. */
export type PartRow = {
  part: string
  name: string
  /** Beside the name; the category is marketing unless it says so. */
  draft: Record<string, unknown>
  /** As the record shows them. */
  components: object[]
  /** The template at Meta. */
  created: object
  /** A send that lacks something, and the sentence about it. */
  wrong?: object[]
  problem: unknown
  values: object[]
  /** The `components` of the send at Meta. */
  wire: object[]
  /** Preview and record of the message. */
  seen: object
}

const body = (words: string) => ({ type: 'body', text: words })
const button = (sub_type: string, index: number, ...parameters: object[]) => ({
  type: 'button',
  sub_type,
  index,
  parameters,
})

const place = { latitude: 38.7071, longitude: -9.1355, name: 'Shop' }
const flow = { type: 'flow', text: 'Sign up', flow_id: '1234', navigate_screen: 'START' }

const coupon = button('copy_code', 0, { type: 'coupon_code', coupon_code: 'SAVE25' })
const image = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://cdn.example.test/sale.png' } }] }
const offerEnd = {
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.UTC(2030, 0, 1, 12) } }],
}
const apps = [{ package_name: 'com.example.shop', signature_hash: 'K8a/AINcGX7' }]
const code = { type: 'body', parameters: [{ type: 'text', text: '483911' }] }
/** A code is given once; Meta wants it for the button too. */
const codeOnWire = [code, { ...button('url', 0, { type: 'text', text: '483911' }), index: '0' }]

function otpRow(otp_type: 'one_tap' | 'zero_tap', more: object, buttons: object[]): PartRow {
  const otp = { type: 'otp', otp_type, text: 'Copy', autofill_text: 'Fill in', supported_apps: apps, ...more }
  const url = new RegExp(`otp_type=${otp_type.toUpperCase()}&cta_display_name=Fill.in&package_name=com.example.shop&`)
  return {
    part: `a ${otp_type} button`,
    name: `code_${otp_type}`,
    draft: {
      category: 'authentication',
      message_send_ttl_seconds: 60,
      components: [{ type: 'buttons', buttons: [otp] }],
    },
    components: [{ type: 'buttons', buttons: [otp] }],
    created: {
      message_send_ttl_seconds: 60,
      components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'URL', url: expect.stringMatching(url) }] }],
    },
    problem: 'body needs 1 value (code), got 0',
    values: [code],
    wire: codeOnWire,
    seen: { text: '483911 is your verification code.', buttons },
  }
}

const product = { product_retailer_id: 'sku-1', catalog_id: '194836987003835' }
const productHeader = { type: 'header', parameters: [{ type: 'product', product }] }
const sections = [
  { title: 'Chairs', product_items: [{ product_retailer_id: 'sku-1' }, { product_retailer_id: 'sku-2' }] },
]
const items = { type: 'action', action: { thumbnail_product_retailer_id: 'sku-1', sections } }
const thumbnail = { type: 'action', action: { thumbnail_product_retailer_id: 'sku-1' } }

const card = (n: number) => [
  { type: 'header', format: 'image', example: { link: `https://cdn.example.test/${n}.png` } },
  { type: 'body', text: `Chair ${n} for {{price}} only.`, variables: [{ name: 'price', example: '€ 40' }] },
  {
    type: 'buttons',
    buttons: [{ type: 'url', text: 'Shop', url: 'https://shop.example.test/{{1}}', example: `chair-${n}` }],
  },
]
const cardValues = (n: number) => [
  { type: 'header', parameters: [{ type: 'image', image: { link: `https://cdn.example.test/${n}.png` } }] },
  { type: 'body', parameters: [{ type: 'text', text: `€ ${n}` }] },
  button('url', 0, { type: 'text', text: `c${n}` }),
]
const productCard = [
  { type: 'header', format: 'product' },
  { type: 'buttons', buttons: [{ type: 'spm' }] },
]

/** Cards to scroll through. */
export const carousels: PartRow[] = [
  {
    part: 'variables that Meta knows by name, as its own form writes them',
    name: 'named_order',
    draft: {
      category: 'UTILITY',
      parameter_format: 'NAMED',
      components: [
        {
          type: 'BODY',
          text: 'Dear {{first_name}}, your order {{order_id}} is here.',
          example: {
            body_text_named_params: [
              { param_name: 'first_name', example: 'Ana' },
              { param_name: 'order_id', example: 'A-1001' },
            ],
          },
        },
      ],
    },
    components: [{ type: 'body', text: 'Dear {{1}}, your order {{2}} is here.' }],
    created: {
      parameter_format: 'NAMED',
      components: [
        {
          type: 'BODY',
          text: 'Dear {{first_name}}, your order {{order_id}} is here.',
          example: { body_text_named_params: [{ param_name: 'first_name' }, { param_name: 'order_id' }] },
        },
      ],
    },
    wrong: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'order', text: 'A-1' }] }],
    problem: expect.stringContaining('first_name'),
    values: [
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'order_id', text: 'A-1' },
          { type: 'text', parameter_name: 'first_name', text: 'Bo' },
        ],
      },
    ],
    wire: [
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'first_name', text: 'Bo' },
          { type: 'text', parameter_name: 'order_id', text: 'A-1' },
        ],
      },
    ],
    seen: { text: 'Dear Bo, your order A-1 is here.' },
  },
  {
    part: 'a button that asks for the phone number',
    name: 'share_number',
    draft: {
      category: 'utility',
      components: [
        body('May we call you about order {{1}} today?'),
        { type: 'buttons', buttons: [{ type: 'REQUEST_CONTACT_INFO' }] },
      ],
    },
    components: [{ type: 'buttons', buttons: [{ type: 'request_contact_info', text: 'Share Contact Info' }] }],
    created: { components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'REQUEST_CONTACT_INFO' }] }] },
    problem: 'body needs 1 value ({{1}}), got 0',
    values: [{ type: 'body', parameters: [{ type: 'text', text: 'A-1' }] }],
    wire: [{ type: 'body', parameters: [{ type: 'text', text: 'A-1' }] }],
    seen: { buttons: [{ type: 'request_contact_info', text: 'Share Contact Info', value: null }] },
  },
  {
    part: 'a carousel of files',
    name: 'chairs',
    draft: {
      components: [
        body('These chairs are new.'),
        { type: 'carousel', cards: [{ components: card(0) }, { components: card(1) }] },
      ],
    },
    components: [
      {
        type: 'carousel',
        cards: [0, 1].map((n) => ({
          components: [
            { type: 'header', format: 'image', example: { link: `https://cdn.example.test/${n}.png` } },
            { type: 'body', text: `Chair ${n} for {{1}} only.` },
            expect.anything(),
          ],
          variables: [{ component: 'body', position: 1, name: 'price', example: '€ 40' }],
        })),
      },
    ],
    created: {
      components: [
        { type: 'BODY' },
        {
          type: 'CAROUSEL',
          cards: [0, 1].map((n) => ({
            components: [
              { type: 'HEADER', format: 'IMAGE', example: { header_handle: [`https://cdn.example.test/${n}.png`] } },
              { type: 'BODY', text: `Chair ${n} for {{1}} only.`, example: { body_text: [['€ 40']] } },
              { type: 'BUTTONS', buttons: [{ type: 'URL' }] },
            ],
          })),
        },
      ],
    },
    wrong: [{ type: 'carousel', cards: [{ components: cardValues(0) }] }],
    problem: 'carousel needs 2 cards, got 1',
    values: [
      {
        type: 'carousel',
        cards: [
          { card_index: 1, components: cardValues(1) },
          { card_index: 0, components: cardValues(0) },
        ],
      },
    ],
    wire: [
      {
        type: 'carousel',
        cards: [0, 1].map((n) => ({
          card_index: n,
          components: [
            { type: 'header', parameters: [{ type: 'image' }] },
            { type: 'body', parameters: [{ type: 'text', text: `€ ${n}` }] },
            { ...button('url', 0, { type: 'text', text: `c${n}` }), index: '0' },
          ],
        })),
      },
    ],
    seen: {
      text: 'These chairs are new.',
      cards: [0, 1].map((n) => ({
        header: { kind: 'image' },
        text: `Chair ${n} for € ${n} only.`,
        buttons: [{ type: 'url', value: `https://shop.example.test/c${n}` }],
      })),
    },
  },
  {
    part: 'a carousel of products, sent with more of them',
    name: 'product_cards',
    draft: {
      components: [
        body('These are new, too.'),
        { type: 'carousel', cards: [{ components: productCard }, { components: productCard }] },
      ],
    },
    components: [{ type: 'carousel', cards: expect.anything() }],
    created: {
      components: [
        { type: 'BODY' },
        {
          type: 'CAROUSEL',
          cards: [0, 1].map(() => ({
            components: [{ type: 'HEADER', format: 'PRODUCT' }, { buttons: [{ type: 'SPM', text: 'View' }] }],
          })),
        },
      ],
    },
    problem: 'carousel needs 2 to 10 cards, got 0',
    values: [{ type: 'carousel', cards: [1, 2, 3].map(() => ({ components: [productHeader] })) }],
    wire: [{ type: 'carousel', cards: [0, 1, 2].map((card_index) => ({ card_index, components: [productHeader] })) }],
    seen: { cards: [1, 2, 3].map(() => ({ header: { kind: 'product', ...product }, text: null })) },
  },
]

export const parts: PartRow[] = [
  otpRow('one_tap', {}, [{ type: 'otp', text: 'Fill in', value: '483911' }]),
  otpRow('zero_tap', { zero_tap_terms_accepted: true }, []),
  {
    part: 'a location header and a flow button',
    name: 'open_house',
    draft: {
      category: 'utility',
      components: [
        { type: 'header', format: 'LOCATION' },
        body('We are open today.'),
        { type: 'buttons', buttons: [{ ...flow, type: 'FLOW', flow_action: 'NAVIGATE' }] },
      ],
    },
    components: [
      { type: 'header', format: 'location' },
      { type: 'buttons', buttons: [{ ...flow, flow_action: 'navigate' }] },
    ],
    created: {
      components: [
        { type: 'HEADER', format: 'LOCATION' },
        { type: 'BODY' },
        { type: 'BUTTONS', buttons: [{ ...flow, type: 'FLOW', flow_action: 'navigate' }] },
      ],
    },
    problem: 'header needs a location, got none',
    values: [
      { type: 'header', parameters: [{ type: 'location', location: place }] },
      button('flow', 0, { type: 'action', action: { flow_token: 'A-1' } }),
    ],
    wire: [
      {
        type: 'header',
        parameters: [{ type: 'location', location: { latitude: '38.7071', longitude: '-9.1355', name: 'Shop' } }],
      },
      { ...button('flow', 0, { type: 'action', action: { flow_token: 'A-1' } }), index: '0' },
    ],
    seen: { header: { kind: 'location', ...place }, buttons: [{ type: 'flow', text: 'Sign up', value: null }] },
  },
  {
    part: 'a button for the catalog',
    name: 'whole_catalog',
    draft: { components: [body('See all that we have.'), { type: 'buttons', buttons: [{ type: 'catalog' }] }] },
    components: [{ type: 'buttons', buttons: [{ type: 'catalog', text: 'View catalog' }] }],
    created: {
      components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'CATALOG', text: 'View catalog' }] }],
    },
    wrong: [button('catalog', 0, items)],
    problem: 'A catalog button has no `sections`. It has: thumbnail_product_retailer_id',
    values: [button('catalog', 0, thumbnail)],
    wire: [{ ...button('catalog', 0, thumbnail), index: '0' }],
    seen: { buttons: [{ type: 'catalog', text: 'View catalog', value: 'sku-1' }] },
  },
  {
    part: 'a button for several products',
    name: 'some_products',
    draft: {
      components: [
        { type: 'header', text: 'Still interested?' },
        body('You left these in your cart.'),
        { type: 'buttons', buttons: [{ type: 'mpm' }] },
      ],
    },
    components: [{ type: 'buttons', buttons: [{ type: 'mpm', text: 'View items' }] }],
    created: {
      components: [
        { type: 'HEADER' },
        { type: 'BODY' },
        { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] },
      ],
    },
    problem: 'button 0 (View items) needs 1 action value, got none',
    values: [button('mpm', 0, items)],
    wire: [{ ...button('mpm', 0, items), index: '0' }],
    seen: { buttons: [{ type: 'mpm', text: 'View items', value: 'sku-1', sections }] },
  },
  {
    part: 'one product',
    name: 'one_product',
    draft: {
      components: [
        { type: 'header', format: 'product' },
        body('Our newest chair.'),
        { type: 'buttons', buttons: [{ type: 'spm' }] },
      ],
    },
    components: [{ type: 'header', format: 'product' }],
    created: {
      components: [
        { type: 'HEADER', format: 'PRODUCT' },
        { type: 'BODY' },
        { type: 'BUTTONS', buttons: [{ type: 'SPM', text: 'View' }] },
      ],
    },
    problem: 'header needs a product, got none',
    values: [productHeader],
    wire: [productHeader],
    seen: { header: { kind: 'product', ...product }, buttons: [{ type: 'spm', text: 'View', value: null }] },
  },
  {
    part: 'a limited-time offer',
    name: 'offer_of_the_day',
    draft: {
      components: [
        { type: 'limited_time_offer', text: 'Only today!', has_expiration: true },
        { type: 'header', format: 'image', example: { link: 'https://cdn.example.test/sale.png' } },
        body('All chairs are cheaper until midnight.'),
        {
          type: 'buttons',
          buttons: [
            { type: 'copy_code', example: 'CHAIR25' },
            { type: 'url', text: 'Shop', url: 'https://shop.example.test/?code={{1}}', example: 'CHAIR25' },
          ],
        },
      ],
    },
    components: [{ type: 'limited_time_offer', text: 'Only today!', has_expiration: true }],
    created: {
      components: expect.arrayContaining([
        { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Only today!', has_expiration: true } },
      ]),
    },
    wrong: [image, coupon, { ...button('url', 1, { type: 'text', text: 'x' }) }],
    problem: 'limited_time_offer needs its end',
    values: [image, offerEnd, coupon, button('url', 1, { type: 'text', text: 'x' })],
    wire: [
      { type: 'header', parameters: [{ type: 'image' }] },
      offerEnd,
      { ...coupon, index: '0' },
      { ...button('url', 1, { type: 'text', text: 'x' }), index: '1' },
    ],
    seen: {
      text: 'All chairs are cheaper until midnight.',
      offer: { text: 'Only today!', expires_at: '2030-01-01T12:00:00.000Z' },
      buttons: [{ type: 'copy_code', value: 'SAVE25' }, { value: 'https://shop.example.test/?code=x' }],
    },
  },
  {
    part: 'a button that copies a coupon code',
    name: 'coupon',
    draft: {
      components: [
        body('Show this at the till.'),
        { type: 'buttons', buttons: [{ type: 'copy_code', example: 'SAVE10' }] },
      ],
    },
    components: [{ type: 'buttons', buttons: [{ type: 'copy_code', text: '', example: 'SAVE10' }] }],
    created: {
      components: [{ type: 'BODY' }, { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE10' }] }],
    },
    problem: 'button 0 (copy_code) needs 1 coupon_code value, got none',
    values: [coupon],
    wire: [{ ...coupon, index: '0' }],
    seen: { buttons: [{ type: 'copy_code', text: 'Copy code', value: 'SAVE25' }] },
  },
]
