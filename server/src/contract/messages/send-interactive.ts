import Type from 'typebox'
import { named, object, oneOf, optional, tagged, text } from '../schema.ts'
import { common } from './send-requests.ts'

const exampleChoices = [
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
]

const Header = tagged(
  'type',
  object({
    type: oneOf(['text'], { description: 'A header of text.' }),
    text: text('Text of the header, at most 60 characters.', { maxLength: 1_024 }),
  }),
  object({
    type: oneOf(['image', 'video', 'document'], { description: 'A header with a file.' }),
    media_id: optional(text('Id of an uploaded file. Give either `media_id` or `link`.', { maxLength: 255 })),
    link: optional(text('Public https address of the file.', { maxLength: 2_048 })),
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

export const SendInteractive = named(
  'SendInteractive',
  object(
    {
      ...common,
      type: oneOf(['buttons', 'list', 'quick_replies', 'cta_url', 'location_request'], {
        description:
          'Type of the message. Beside `body`, `buttons` needs `buttons`, `list` needs `button` and `sections`, `quick_replies` needs `replies`, `cta_url` needs `button` and `url`, and `location_request` needs nothing.',
      }),
      header: optional({
        ...Header,
        description:
          'Header above the text: a text or a file. A list has text headers only, a location request has none.',
      }),
      body: text('The text of the message.', { minLength: 1, maxLength: 16_384, 'x-secret': true }),
      footer: optional(
        text('Small text below the message, at most 60 characters; not below a location request.', {
          maxLength: 1_024,
        }),
      ),
      buttons: optional(Type.Array(Button, { maxItems: 20, description: 'One to three buttons.' })),
      button: optional(
        text('Text on the button that opens the list or the page, at most 20 characters.', { maxLength: 1_024 }),
      ),
      url: optional(text('Address of the page that the button opens.', { maxLength: 2_048 })),
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
      replies: optional(
        Type.Array(Type.String({ maxLength: 1_024 }), {
          maxItems: 20,
          description:
            'One to ten different texts of at most 20 characters. Up to three become buttons, more become a list.',
        }),
      ),
    },
    { description: 'A message with something to tap.', examples: exampleChoices },
  ),
)
