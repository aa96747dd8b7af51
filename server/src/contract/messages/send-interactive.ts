import Type from 'typebox'
import { named, object, oneOf, optional, part, tagged, text } from '../schema.ts'
import { addressFields, interactiveExamples } from './interactive-content.ts'
import { OrderRequest, OrderStatusRequest } from './orders.ts'
import { common, DirectSend } from './send-requests.ts'

const types = [
  'buttons',
  'list',
  'quick_replies',
  'cta_url',
  'location_request',
  'flow',
  'product',
  'product_list',
  'catalog',
  'product_carousel',
  'carousel',
  'address',
  'call_permission',
  'contact_info',
  'order_details',
  'order_status',
] as const

const file = {
  media_id: optional(text('Id of an uploaded file. Give either `media_id` or `link`.', { maxLength: 255 })),
  link: optional(text('Public https address of the file.', { maxLength: 2_048 })),
}
const Header = tagged(
  'type',
  object({
    type: oneOf(['text'], { description: 'A header of text.' }),
    text: text('Text of the header, at most 60 characters.', { maxLength: 1_024 }),
  }),
  object({
    type: oneOf(['image', 'video', 'document'], { description: 'A header with a file.' }),
    ...file,
    filename: optional(text('Name of a document.', { maxLength: 240 })),
  }),
)
const Row = object({
  id: text('Your id of the row; the reply of the customer has it.', { maxLength: 1_024 }),
  title: text('Title of the row, at most 24 characters.', { maxLength: 1_024 }),
  description: optional(text('Second line of the row, at most 72 characters.', { maxLength: 1_024 })),
})

const Button = object({
  id: text('Your id of the button; the reply of the customer has it.', { maxLength: 1_024 }),
  title: text('Text on the button, at most 20 characters.', { maxLength: 1_024 }),
})

const Card = object({
  header: part('File at the top of the card; all cards have the same type.', {
    type: oneOf(['image', 'video'], { description: 'Type of the file.' }),
    ...file,
  }),
  body: optional(
    text('Text of the card, at most 160 characters and two line breaks.', { maxLength: 1_024, 'x-secret': true }),
  ),
  button: optional(text('Text on the button that opens `url`, at most 20 characters.', { maxLength: 1_024 })),
  url: optional(text('Address of the page that the button opens.', { maxLength: 2_048 })),
  buttons: optional(
    Type.Array(Button, {
      maxItems: 20,
      description: 'Instead of `button` and `url`: one to three reply buttons, the same number on every card.',
    }),
  ),
})

const idLength = { maxLength: 1_024 }

const Flow = part('The Flow that the button opens.', {
  id: optional(text('Id of the Flow at Meta. Give either `id` or `name`.', { maxLength: 1_024 })),
  name: optional(text('Name of the Flow.', { maxLength: 1_024 })),
  token: optional(
    text("Your own id for this use of the Flow; the customer's input has it as `flow_token`.", {
      maxLength: 4_096,
      'x-secret': true,
    }),
  ),
  mode: optional(
    oneOf(['published', 'draft'], {
      description: '`draft` tries out a Flow that is not published. Default: `published`.',
    }),
  ),
  action: optional(
    oneOf(['navigate', 'data_exchange'], {
      description:
        '`navigate` opens a screen, `data_exchange` asks the endpoint of the Flow for the first one. Default: `navigate`.',
    }),
  ),
  screen: optional(text('Id of the screen to open. Default: the first one of the Flow.', { maxLength: 1_024 })),
  screen_data: optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Values for the screen, by the names that the Flow gave them.',
      'x-secret': true,
    }),
  ),
})

const addressValues = (words: string) =>
  Object.fromEntries(
    addressFields.map((field) => [
      field,
      optional(text(`${words} \`${field}\`.`, { maxLength: 1_024, 'x-secret': true })),
    ]),
  ) as Record<(typeof addressFields)[number], ReturnType<typeof optional<ReturnType<typeof text>>>>

const Address = part('The form for an address; for businesses and customers in India only.', {
  country: oneOf(['IN'], { description: 'Country of the address: India.' }),
  values: optional(part('Values that the form begins with.', addressValues('Value of'))),
  saved_addresses: optional(
    Type.Array(
      object({
        id: text('Your id of the address; the reply has it as `saved_address_id`.', { maxLength: 1_024 }),
        values: part('The address. A pin code has at most six characters.', addressValues('Value of')),
      }),
      { maxItems: 100, description: 'Addresses that you know of this customer, to choose from.' },
    ),
  ),
  validation_errors: optional(
    part('What is wrong with `values`; WhatsApp shows it at the field.', addressValues('What is wrong with')),
  ),
})

export const SendInteractive = named(
  'SendInteractive',
  object(
    {
      ...common,
      type: oneOf(types, {
        description:
          'Type of the message. Beside `body`, `buttons` needs `buttons`, `list` needs `button` and `sections`, `quick_replies` needs `replies`, `cta_url` needs `button` and `url`, `flow` needs `button` and `flow`, `product` needs `catalog_id` and `product_id`, `product_list` needs `header`, `catalog_id` and `product_sections`, `catalog` may have `thumbnail_product_id`, `product_carousel` needs `catalog_id` and `product_ids`, `carousel` needs `cards`, `address` needs `address`, `order_details` needs `order`, `order_status` needs `order_status`, and `location_request`, `call_permission` and `contact_info` need nothing. `body` may be left out of `product` and `call_permission`.',
      }),
      direct_send: optional(DirectSend),
      header: optional({
        ...Header,
        description:
          'Header above the text: a text or a file. Lists have text headers only; all requests, products, catalogs and carousels have none.',
      }),
      body: optional(
        text('The text of the message. Only `product` and `call_permission` can be sent without.', {
          minLength: 1,
          maxLength: 16_384,
          'x-secret': true,
        }),
      ),
      footer: optional(
        text('Small text below the message, at most 60 characters; not below a request or a carousel.', {
          maxLength: 1_024,
        }),
      ),
      buttons: optional(Type.Array(Button, { maxItems: 20, description: 'One to three buttons.' })),
      button: optional(
        text(
          'Text on the button that opens the list, the page or the Flow: at most 20 characters, for a Flow 30 without emoji.',
          { maxLength: 1_024 },
        ),
      ),
      url: optional(text('Address of the page that the button opens.', { maxLength: 2_048 })),
      flow: optional(Flow),
      sections: optional(
        Type.Array(
          object({
            title: optional(text('Title of the section; needed when there are several.', { maxLength: 1_024 })),
            rows: Type.Array(Row, {
              maxItems: 100,
              description: 'Rows of the section; a list has at most ten in all.',
            }),
          }),
          { maxItems: 20, description: 'Sections of the list.' },
        ),
      ),
      catalog_id: optional(text('Id of the catalog that is connected to the WhatsApp Business account.', idLength)),
      product_id: optional(text('Id of the product in the catalog: its SKU, or content id.', idLength)),
      product_ids: optional(
        Type.Array(Type.String(idLength), {
          maxItems: 20,
          description: 'Two to ten products of the catalog, each on a card of its own.',
        }),
      ),
      product_sections: optional(
        Type.Array(
          object({
            title: optional(
              text('Title of the section, at most 24 characters; needed when there are several.', { maxLength: 1_024 }),
            ),
            product_ids: Type.Array(Type.String(idLength), {
              maxItems: 100,
              description: 'Ids of the products; a list has at most 30 in all.',
            }),
          }),
          { maxItems: 20, description: 'One to ten sections of products.' },
        ),
      ),
      thumbnail_product_id: optional(text('Id of the product whose picture stands for the catalog.', idLength)),
      cards: optional(Type.Array(Card, { maxItems: 20, description: 'Two to ten cards with the same structure.' })),
      address: optional(Address),
      order: optional(OrderRequest),
      order_status: optional(OrderStatusRequest),
      replies: optional(
        Type.Array(Type.String({ maxLength: 1_024 }), {
          maxItems: 20,
          description:
            'One to ten different texts of at most 20 characters. Up to three become buttons, more become a list.',
        }),
      ),
    },
    { description: 'An interactive message.', examples: interactiveExamples },
  ),
)
