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
  problem: string
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

export const parts: PartRow[] = [
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
    values: [button('copy_code', 0, { type: 'coupon_code', coupon_code: 'SAVE25' })],
    wire: [{ ...button('copy_code', 0, { type: 'coupon_code', coupon_code: 'SAVE25' }), index: '0' }],
    seen: { buttons: [{ type: 'copy_code', text: 'Copy code', value: 'SAVE25' }] },
  },
]
