import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { templateFromWire } from './template-from-wire.ts'

const item = (over: Record<string, unknown>) => ({
  id: '1387',
  name: 'order_ready',
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [{ type: 'BODY', text: 'Ready.' }],
  ...over,
})

function read(over: Record<string, unknown>) {
  return templateFromWire(item(over))?.content
}

describe('a template of the platform', () => {
  test('is read with named variables', () => {
    const components = [
      {
        type: 'BODY',
        text: 'Hi {{first_name}}, order {{no}}.',
        example: {
          body_text_named_params: [
            { param_name: 'no', example: 'A1' },
            { param_name: 'first_name', example: 'Ann' },
          ],
        },
      },
    ]
    expect(read({ parameter_format: 'NAMED', components })).toEqual({
      name: 'order_ready',
      language: 'en_US',
      category: 'utility',
      parameter_format: 'named',
      components: [{ type: 'body', text: 'Hi {{1}}, order {{2}}.' }],
      variables: [
        { component: 'body', position: 1, name: 'first_name', example: 'Ann' },
        { component: 'body', position: 2, name: 'no', example: 'A1' },
      ],
    })
  })

  test('is read with positional variables, a sample link and a url', () => {
    const content = read({
      language: 'en-US',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://cdn.example.test/x'] } },
        { type: 'body', text: 'Hi {{1}}.', example: { body_text: [['Ann']] } },
        { type: 'FOOTER', text: 'Shop' },
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Go', url: 'https://a.test/{{1}}', example: ['x'] }] },
      ],
    })
    expect(content).toMatchObject({
      language: 'en_US',
      components: [
        { type: 'header', format: 'image', example: { link: 'https://cdn.example.test/x' } },
        { type: 'body', text: 'Hi {{1}}.' },
        { type: 'footer', text: 'Shop' },
        { type: 'buttons', buttons: [{ type: 'url', url: 'https://a.test/{{1}}', example: 'x' }] },
      ],
      variables: [{ component: 'body', position: 1, name: null, example: 'Ann' }],
    })
  })

  test('lists the button that copies a code as a url, and is read as what it is', () => {
    const url = 'https://chat.example.test/otp/code/?otp_type=COPY_CODE&code=otp{{1}}'
    const components = [{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url }] }]
    expect(read({ category: 'AUTHENTICATION', components })?.components).toEqual([
      { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Copy code' }] },
    ])
  })

  test('lists the apps that get a code in the url, and is read with them', () => {
    const apps = 'package_name=com.a.shop%2Ccom.b.shop&signature_hash=K8a%2FAINcGX7%2CbBev+zGTwET'
    const url = `https://chat.example.test/otp/code/?otp_type=ZERO_TAP&cta_display_name=Fill+in&${apps}&code=otp{{1}}`
    const components = [{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url }] }]
    expect(read({ category: 'AUTHENTICATION', components })?.components).toEqual([
      {
        type: 'buttons',
        buttons: [
          {
            type: 'otp',
            otp_type: 'zero_tap',
            text: 'Copy code',
            autofill_text: 'Fill in',
            supported_apps: [
              { package_name: 'com.a.shop', signature_hash: 'K8a/AINcGX7' },
              { package_name: 'com.b.shop', signature_hash: 'bBev+zGTwET' },
            ],
            zero_tap_terms_accepted: true,
          },
        ],
      },
    ])
  })

  test('keeps the example of a coupon code, but not its label, which is of Meta', () => {
    for (const example of ['SAVE25', ['SAVE25']]) {
      const buttons = [{ type: 'COPY_CODE', text: 'Copy offer code', example }]
      expect(read({ components: [{ type: 'BUTTONS', buttons }] })?.components).toEqual([
        { type: 'buttons', buttons: [{ type: 'copy_code', text: '', example: 'SAVE25' }] },
      ])
    }
  })

  test('is read with a place and the Flow that a button opens, as Meta writes them', () => {
    const flow = {
      type: 'FLOW',
      text: 'Sign up',
      flow_id: 702611965310711,
      flow_action: 'NAVIGATE',
      navigate_screen: 'A',
    }
    const components = [
      { type: 'HEADER', format: 'LOCATION' },
      { type: 'BUTTONS', buttons: [flow] },
    ]
    expect(read({ components })?.components).toEqual([
      { type: 'header', format: 'location' },
      {
        type: 'buttons',
        buttons: [
          { type: 'flow', text: 'Sign up', flow_id: '702611965310711', flow_action: 'navigate', navigate_screen: 'A' },
        ],
      },
    ])
  })

  test('keeps unknown parts by their name, so that buttons stay at their places', () => {
    const components = [
      { type: 'HEADER', format: 'GIF' },
      { type: 'CALL_PERMISSION_REQUEST' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'VOICE_CALL', text: 'Start' },
          { type: 'QUICK_REPLY', text: 'No' },
        ],
      },
    ]
    expect(read({ components, category: 'NEW' })).toMatchObject({
      category: 'utility',
      components: [
        { type: 'header', format: 'other', platform_format: 'gif' },
        { type: 'other', platform_type: 'call_permission_request' },
        {
          type: 'buttons',
          buttons: [
            { type: 'other', platform_type: 'voice_call', text: 'Start' },
            { type: 'quick_reply', text: 'No' },
          ],
        },
      ],
    })
  })

  test('of any shape never makes the reader throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (components, category) => {
        expect(read({ components, category })).toMatchObject({ name: 'order_ready' })
        const inner = [
          { type: 'BODY', text: category, example: components },
          { type: 'BUTTONS', buttons: components },
        ]
        expect(read({ components: inner })?.components).toHaveLength(2)
      }),
    )
  })
})
