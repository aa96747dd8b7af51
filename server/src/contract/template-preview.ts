import Type from 'typebox'
import { instant, model, named, nullable, object, oneOf, optional, ref, text } from './schema.ts'
import { componentValues } from './template-components.ts'

const examplePreview = {
  components: [{ type: 'body', parameters: ['Ana', 'A-1001'].map((value) => ({ type: 'text', text: value })) }],
}

export const PreviewRequest = named(
  'TemplatePreviewRequest',
  object(
    {
      components: optional(
        componentValues('Values for the variables, as in a send. Default: the examples of the template.'),
      ),
    },
    { description: 'May be empty.', examples: [examplePreview] },
  ),
)

const Header = named(
  'TemplatePreviewHeader',
  Type.Unsafe<unknown>({
    anyOf: [
      object({
        kind: Type.Literal('text', { description: 'A header of text.' }),
        text: text('The text, with values.'),
      }),
      object({
        kind: oneOf(['image', 'video', 'document'], { description: 'A header with a file.' }),
        link: Type.Optional(text('Address of the file.')),
        media_id: Type.Optional(text('Id of the uploaded file.')),
        filename: Type.Optional(text('Name of a document.')),
      }),
      object({
        kind: Type.Literal('location', { description: 'A header with a map.' }),
        latitude: Type.Number({ description: 'Degrees north of the equator.' }),
        longitude: Type.Number({ description: 'Degrees east of Greenwich.' }),
        name: Type.Optional(text('Name of the place.')),
        address: Type.Optional(text('Address of the place.')),
      }),
      object({
        kind: Type.Literal('product', { description: 'A header with a product of the catalog.' }),
        product_retailer_id: text('Your id of the product.'),
        catalog_id: text('Id of the catalog at Meta.'),
      }),
      { type: 'null' },
    ],
    description: 'The header; null when the template has none.',
    examples: [null],
  }),
)

const Button = model('TemplatePreviewButton', 'A button as the customer would see it.', {
  type: text('Kind of button.', { examples: ['url'] }),
  text: text('Text on the button.', { examples: ['Track'] }),
  value: nullable(
    text('Address, phone number, coupon code or thumbnail product of the button, with values.', {
      examples: ['https://shop.example.com/a-1001'],
    }),
  ),
  sections: Type.Optional(
    Type.Array(
      object({
        title: text('Title of the section.'),
        product_items: Type.Array(object({ product_retailer_id: text('Your id of the product.') }), {
          description: 'The products of the section.',
        }),
      }),
      { description: 'The products behind a button of type `mpm`.' },
    ),
  ),
})
const buttons = Type.Array(ref(Button), { description: 'The buttons, in order.' })

export const TemplatePreview = model('TemplatePreview', 'The template as the customer would see it.', {
  header: ref(Header),
  text: text('The body with values.', { examples: ['Hello Ana, your order A-1001 is ready for you.'] }),
  footer: nullable(text('The footer; null when the template has none.', { examples: [null] })),
  offer: Type.Optional(
    object(
      {
        text: text('What is offered.'),
        expires_at: nullable(instant({ description: 'When the offer ends, if the message says so.' })),
      },
      { description: 'The limited-time offer of a template that has one.' },
    ),
  ),
  cards: Type.Optional(
    Type.Array(
      object({
        header: ref(Header),
        text: nullable(text('The body of the card with values; null when it has none.')),
        buttons,
      }),
      { description: 'The cards of a carousel, in order.' },
    ),
  ),
  buttons,
})
