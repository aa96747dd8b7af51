import type { ChannelKind, TemplateComponent, TemplateContent, TemplateStatus } from '../content/template-types.ts'

export type CatalogTemplate = TemplateContent & { source: 'catalog'; status: TemplateStatus }

/**
 * The templates every account begins with, in `en` and in `en_US`. On a sandbox channel they are approved and have a
 * header and a button that a send may leave out, so that every form of a component can be tried. On a cloud channel they
 * are drafts and plain: what is submitted there must be filled in every send.
 */
export function catalogTemplates(channelKind: ChannelKind): CatalogTemplate[] {
  const templates = languages.flatMap((language) => entries.map((entry) => templateOf(entry, language, channelKind)))
  return channelKind === 'sandbox' ? [...templates, helloWorld] : templates
}

type Entry = {
  name: string
  body: string
  /** Variable names with an example each, in order. */
  variables: readonly (readonly [name: string, example: string])[]
  button: { text: string; path: string; example: string }
}

const languages = ['en', 'en_US'] as const

const entries: readonly Entry[] = [
  {
    name: 'order_confirmation',
    body: 'Hi {{1}}, your order {{2}} is confirmed. Total: {{3}}.',
    variables: [
      ['name', 'Ana'],
      ['order_id', 'A-1001'],
      ['total', '€42.00'],
    ],
    button: { text: 'View order', path: 'orders', example: 'A-1001' },
  },
  {
    name: 'shipping_update',
    body: 'Hi {{1}}, your order is on its way. Tracking number {{2}}, thank you.',
    variables: [
      ['name', 'Ana'],
      ['tracking_number', 'PT123456789'],
    ],
    button: { text: 'Track parcel', path: 'track', example: 'PT123456789' },
  },
  {
    name: 'appointment_reminder',
    body: 'Hi {{1}}, we expect you on {{2}} at {{3}}.',
    variables: [
      ['name', 'Ana'],
      ['date', '20 November'],
      ['time', '14:30'],
    ],
    button: { text: 'View appointment', path: 'appointments', example: '20251120-1430' },
  },
  {
    name: 'payment_received',
    body: 'Hi {{1}}, we received {{2}} for invoice {{3}}.',
    variables: [
      ['name', 'Ana'],
      ['amount', '€42.00'],
      ['invoice_id', 'INV-118'],
    ],
    button: { text: 'View invoice', path: 'invoices', example: 'INV-118' },
  },
]

const helloWorld: CatalogTemplate = {
  name: 'hello_world',
  language: 'en_US',
  category: 'utility',
  parameter_format: 'positional',
  components: [{ type: 'body', text: 'Hello! Your gateway works: this message came through it.' }],
  variables: [],
  source: 'catalog',
  status: 'approved',
}

function templateOf(entry: Entry, language: string, channelKind: ChannelKind): CatalogTemplate {
  const body: TemplateComponent = { type: 'body', text: entry.body }
  return {
    name: entry.name,
    language,
    category: 'utility',
    parameter_format: 'positional',
    components: channelKind === 'sandbox' ? [imageHeader, body, linkButton(entry)] : [body],
    variables: entry.variables.map(([name, example], index) => ({
      component: 'body',
      position: index + 1,
      name,
      example,
    })),
    source: 'catalog',
    status: channelKind === 'sandbox' ? 'approved' : 'draft',
  }
}

const imageHeader: TemplateComponent = {
  type: 'header',
  format: 'image',
  example: { link: 'https://cdn.example.test/header.png' },
  optional: true,
}

function linkButton({ button }: Entry): TemplateComponent {
  const url = `https://shop.example.test/${button.path}/{{1}}`
  return {
    type: 'buttons',
    buttons: [{ type: 'url', text: button.text, url, example: button.example, optional: true }],
  }
}
