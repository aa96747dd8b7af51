import { describe, expect, test } from 'vitest'
import type { TemplateContent } from '../../contract/template-content.ts'
import { catalogTemplates } from '../../templates/catalog/catalog.ts'
import { normaliseTemplate } from '../../templates/content/normalise-template.ts'
import { isWritable } from '../../templates/edit-template.ts'
import { templateFromWire } from './template-from-wire.ts'
import { templateToWire } from './template-to-wire.ts'

const { template } = normaliseTemplate(
  {
    name: 'order_ready',
    components: [
      { type: 'header', text: 'Order {{order_no}}', variables: [{ name: 'order_no', example: 'A1' }] },
      {
        type: 'body',
        text: 'Hi {{first_name}}, pay {{total}} soon.',
        variables: [
          { name: 'first_name', example: 'Ann' },
          { name: 'total', example: '€1' },
        ],
      },
      { type: 'footer', text: 'Shop' },
      {
        type: 'buttons',
        buttons: [
          { type: 'quick_reply', text: 'Thanks' },
          { type: 'url', text: 'Track', url: 'https://s.example.test/{{1}}', example: 'abc' },
          { type: 'phone_number', text: 'Call', phone_number: '+351912345678' },
        ],
      },
    ],
  },
  'cloud',
)

/** As the platform would receive it. */
function wire(content: TemplateContent): { components: Record<string, unknown>[] } {
  return templateToWire({ content }) as { components: Record<string, unknown>[] }
}

describe('the form for the platform', () => {
  test('is positional, with every example where the platform looks for it', () => {
    expect(wire(template)).toEqual({
      name: 'order_ready',
      language: 'en_US',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A1'] } },
        { type: 'BODY', text: 'Hi {{1}}, pay {{2}} soon.', example: { body_text: [['Ann', '€1']] } },
        { type: 'FOOTER', text: 'Shop' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Thanks' },
            { type: 'URL', text: 'Track', url: 'https://s.example.test/{{1}}', example: ['abc'] },
            { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+351912345678' },
          ],
        },
      ],
    })
  })

  test('keeps the names of a template that the platform knows by names', () => {
    const [header, body] = wire({ ...template, parameter_format: 'named' }).components
    expect(header).toMatchObject({
      text: 'Order {{order_no}}',
      example: { header_text_named_params: [{ param_name: 'order_no', example: 'A1' }] },
    })
    expect(body).toMatchObject({ text: 'Hi {{first_name}}, pay {{total}} soon.' })
  })

  test('of a media header carries the handle of the uploaded sample, never our own link', () => {
    const media = (example: { link: string } | { handle: string }): TemplateContent => ({
      ...template,
      components: [{ type: 'header', format: 'image', example }],
    })
    expect(wire(media({ handle: '4::y' })).components).toEqual([
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::y'] } },
    ])
    expect(wire(media({ link: 'https://a.test/x.png' })).components).toEqual([{ type: 'HEADER', format: 'IMAGE' }])
  })

  test('of an authentication template leaves its texts to the platform', () => {
    const components = [
      { type: 'body', add_security_recommendation: true },
      { type: 'footer', code_expiration_minutes: 5 },
    ]
    const login = normaliseTemplate({ name: 'login', category: 'authentication', components }, 'cloud')
    expect(wire(login.template)).toMatchObject({
      category: 'AUTHENTICATION',
      components: [
        { type: 'BODY', add_security_recommendation: true },
        { type: 'FOOTER', code_expiration_minutes: 5 },
        { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' }] },
      ],
    })
    expect(JSON.stringify(wire(login.template))).not.toContain('verification')
  })

  test('reads back as the same content', () => {
    for (const original of [template, ...catalogTemplates('cloud')]) {
      for (const parameter_format of ['positional', 'named'] as const) {
        const there = templateFromWire({ ...wire({ ...original, parameter_format }), id: '1', status: 'APPROVED' })
        const back = there?.content
        expect(back?.components).toEqual(original.components)
        expect(back?.variables.map(({ example }) => example)).toEqual(original.variables.map(({ example }) => example))
        if (parameter_format === 'named') expect(back?.variables).toEqual(original.variables)
      }
    }
  })

  test('reads back as the same content with every part there is', () => {
    const image = { type: 'header', format: 'image', example: { handle: '4::x' } }
    const card = (n: number) => ({
      components: [
        image,
        { type: 'body', text: `Chair {{1}} of ${n}.`, variables: ['red'] },
        { type: 'buttons', buttons: [{ type: 'quick_reply', text: 'More' }] },
      ],
    })
    const flow = { type: 'flow', text: 'Sign up', flow_id: '1', flow_action: 'navigate', navigate_screen: 'A' }
    const app = { package_name: 'com.example.shop', signature_hash: 'K8a/AINcGX7' }
    const drafts = [
      {
        components: [
          { type: 'header', format: 'location' },
          { type: 'buttons', buttons: [flow, { type: 'copy_code', example: 'A' }] },
        ],
      },
      { components: [{ type: 'limited_time_offer', text: 'Today', has_expiration: true }] },
      {
        components: [
          { type: 'header', format: 'product' },
          { type: 'buttons', buttons: [{ type: 'spm' }] },
        ],
      },
      { components: [{ type: 'carousel', cards: [card(1), card(2)] }], message_send_ttl_seconds: 43_200 },
      {
        category: 'authentication',
        components: [
          {
            type: 'buttons',
            buttons: [{ type: 'otp', otp_type: 'zero_tap', supported_apps: [app], zero_tap_terms_accepted: true }],
          },
        ],
      },
    ]
    for (const draft of drafts) {
      const { template: original, problems } = normaliseTemplate(
        { name: 'a', category: 'marketing', ...draft },
        'cloud',
      )
      expect(problems).toEqual([])
      expect(isWritable(original)).toBe(true)
      const there = templateFromWire({ ...wire(original), id: '1', status: 'APPROVED' })
      expect(there?.content).toEqual(original)
    }
  })

  test('leaves alone what this gateway cannot write', () => {
    expect(isWritable(template)).toBe(true)
    const carousel = { components: [...template.components, { type: 'other' as const, platform_type: 'carousel' }] }
    expect(isWritable(carousel)).toBe(false)
    expect(wire({ ...template, ...carousel }).components).toHaveLength(template.components.length)
    const code = (otp_type: string) => [
      { type: 'buttons' as const, buttons: [{ type: 'otp' as const, otp_type, text: 'Code' }] },
    ]
    expect(isWritable({ components: code('copy_code') })).toBe(true)
    // An app that the list does not name would be lost.
    expect(isWritable({ components: code('one_tap') })).toBe(false)
  })
})
