import type { Order, OrderStatus } from './orders.ts'

/** An interactive message as it is kept, shown and sent. What is kept names a file otherwise than what a platform gets. */
export type Interactive<File> = InteractiveForm<File> & InteractiveFrame<File>
type InteractiveFrame<File> = { header: Header<File> | null; body: string | null; footer: string | null }
export type Header<File> = { type: 'text'; text: string } | FileHeader<File>
export type FileHeader<File> = { type: 'image' | 'video' | 'document' } & File

/** `media_id` names an uploaded file, `link` one on the web; a request gives exactly one. */
export type NamedFile = { media_id?: string | null; link?: string | null; filename?: string | null }

/** The part that differs by type. */
export type InteractiveForm<File> =
  | ButtonsForm
  | ListForm
  | CtaUrlForm
  | { kind: 'location_request' }
  | FlowForm
  | { kind: 'product'; catalog_id: string; product_id: string }
  | { kind: 'product_list'; catalog_id: string; product_sections: readonly ProductSection[] }
  | { kind: 'catalog'; thumbnail_product_id: string | null }
  | { kind: 'product_carousel'; catalog_id: string; product_ids: readonly string[] }
  | { kind: 'carousel'; cards: readonly Card<File>[] }
  | { kind: 'address'; address: AddressForm }
  | { kind: 'call_permission' }
  | { kind: 'contact_info' }
  | { kind: 'order_details'; order: Order }
  | { kind: 'order_status'; order_status: OrderStatus }

export type ReplyButton = { id: string; title: string }
type ButtonsForm = { kind: 'buttons'; buttons: readonly ReplyButton[] }

type ListForm = { kind: 'list'; button: string; sections: readonly Section[] }
type Section = { title: string | null; rows: readonly { id: string; title: string; description: string | null }[] }

type CtaUrlForm = { kind: 'cta_url'; button: string; url: string }

type FlowForm = { kind: 'flow'; button: string; flow: Flow }
/** A Flow is known by its id or by its name. */
export type Flow = {
  id: string | null
  name: string | null
  token: string | null
  mode: 'published' | 'draft'
  action: 'navigate' | 'data_exchange'
  screen: string | null
  screen_data: Record<string, unknown> | null
}

export type ProductSection = { title: string | null; product_ids: readonly string[] }

/** A card has either a button that opens a page, or buttons that answer. */
export type Card<File> = {
  header: { type: 'image' | 'video' } & File
  body: string | null
  button: string | null
  url: string | null
  buttons: readonly ReplyButton[] | null
}

/** The fields of an address in India, the one country where WhatsApp has the form. */
export const addressFields = [
  'name',
  'phone_number',
  'in_pin_code',
  'house_number',
  'floor_number',
  'tower_number',
  'building_name',
  'address',
  'landmark_area',
  'city',
  'state',
] as const
export type AddressValues = { [Field in (typeof addressFields)[number]]?: string }

export type AddressForm = {
  country: 'IN'
  values: AddressValues | null
  saved_addresses: readonly { id: string; values: AddressValues }[] | null
  validation_errors: AddressValues | null
}

/** A request of each type, for the document. */
export const interactiveExamples = [
  {
    to: '+12025550100',
    type: 'buttons',
    body: 'Is the delivery tomorrow at ten all right?',
    buttons: [
      { id: 'yes', title: 'Yes' },
      { id: 'later', title: 'Later, please' },
    ],
  },
  {
    to: '+12025550100',
    type: 'list',
    body: 'What is it about?',
    button: 'Choose',
    sections: [{ rows: [{ id: 'order', title: 'My order', description: 'Where it is, when it comes' }] }],
  },
  { to: '+12025550100', type: 'quick_replies', body: 'How was it?', replies: ['Great', 'So so', 'Bad'] },
  {
    to: '+12025550100',
    type: 'cta_url',
    body: 'Your order is on its way.',
    button: 'Track it',
    url: 'https://shop.example/orders/A-1001',
  },
  { to: '+12025550100', type: 'location_request', body: 'Where shall we deliver it?' },
  {
    to: '+12025550100',
    type: 'flow',
    body: 'Choose a time that suits you.',
    button: 'Book',
    flow: { id: '1197715005513101', token: 'A-1001', screen: 'BOOKING', screen_data: { days: ['Mon', 'Tue'] } },
  },
  {
    to: '+12025550100',
    type: 'product',
    body: 'The one you asked about.',
    catalog_id: '194836987003835',
    product_id: 'SKU-10',
  },
  {
    to: '+12025550100',
    type: 'product_list',
    header: { type: 'text', text: 'For your garden' },
    body: 'These are in stock.',
    catalog_id: '194836987003835',
    product_sections: [{ title: 'Pots', product_ids: ['SKU-10', 'SKU-11'] }],
  },
  { to: '+12025550100', type: 'catalog', body: 'All we have.', thumbnail_product_id: 'SKU-10' },
  {
    to: '+12025550100',
    type: 'carousel',
    body: 'Two of our latest.',
    cards: ['echeveria', 'haworthia'].map((plant) => ({
      header: { type: 'image', link: `https://shop.example/${plant}.jpeg` },
      body: `*${plant}*`,
      button: 'Buy now',
      url: `https://shop.example/${plant}`,
    })),
  },
  {
    to: '+919876543210',
    type: 'address',
    body: 'Where shall we deliver it?',
    address: { country: 'IN', values: { name: 'Asha', in_pin_code: '400063' } },
  },
  {
    to: '+12025550100',
    type: 'product_carousel',
    body: 'Two of our latest.',
    catalog_id: '194836987003835',
    product_ids: ['SKU-10', 'SKU-11'],
  },
  { to: '+12025550100', type: 'contact_info', body: 'May we have your phone number, for the delivery?' },
  { to: '+12025550100', type: 'call_permission', body: 'May we call you about your order?' },
  {
    to: '+919876543210',
    type: 'order_details',
    body: 'Your order A-1001.',
    order: {
      reference_id: 'A-1001',
      goods: 'physical',
      currency: 'INR',
      items: [{ name: 'Echeveria', quantity: 2, amount: 10_000 }],
      tax: 1_000,
      payment_settings: [
        { type: 'payment_gateway', payment_gateway: { type: 'razorpay', configuration_name: 'shop' } },
      ],
    },
  },
  {
    to: '+919876543210',
    type: 'order_status',
    body: 'Your order A-1001 is on its way.',
    order_status: { reference_id: 'A-1001', status: 'shipped' },
  },
]
