import Type, { type TProperties, type TSchema } from 'typebox'
import { integer, model, named, object, optional, part, ref, text } from './schema.ts'
import { type ButtonSubType, buttonSubTypes, dateTimeIgnored } from './template-values.ts'

/**
 * The values of a template as callers write them. The document shows these forms; `templates/values/` reads them, because
 * a reader that knows the template names a mistake better than a validator. `read-send-components.test.ts` compares both.
 */

/** Meta's pages write these words in lower case or in capital letters, and Meta accepts both. */
function eitherCase<W extends string>(words: readonly W[], description: string) {
  const both = words.flatMap((word) => [word, word.toUpperCase()])
  return Type.Unsafe<W | Uppercase<W>>({ type: 'string', enum: both, description })
}
const typed = <W extends string>(word: W) => eitherCase([word], 'In lower case or in capital letters.')

const filled = (description: string, options: Record<string, unknown> = {}) =>
  text(description, { pattern: String.raw`\S`, ...options })

const Name = optional(filled('Name of the variable, for a template whose variables have names.'))

/** Degrees; Meta's pages write them as strings. */
const degrees = (description: string, most: number) =>
  Type.Unsafe<number | string>({
    anyOf: [
      { type: 'number', minimum: -most, maximum: most },
      { type: 'string', pattern: String.raw`^-?\d{1,3}(?:\.\d+)?$` },
    ],
    description,
  })

/** A parameter has its value in the field that its type names. */
function parameter<P extends TProperties>(name: string, description: string, properties: P) {
  return model(`Template${name}Parameter`, description, properties)
}

const TextParameter = parameter('Text', 'A text.', {
  type: typed('text'),
  parameter_name: Name,
  text: filled('The text. It has no line break, no tab, and at most 4 spaces in a row.', { examples: ['Ana'] }),
})

const CurrencyParameter = parameter('Currency', 'An amount of money, written in the language of the template.', {
  type: typed('currency'),
  parameter_name: Name,
  currency: part('The amount.', {
    code: text('ISO 4217 code of the currency, in capital letters.', { pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
    amount_1000: integer('The amount times 1000: 42.50 is 42500. It may be negative, such as for a refund.', {
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      examples: [42_500],
    }),
    fallback_value: optional(filled('The text to show. Default: written by Postern from code and amount.')),
  }),
})

const ignored = Object.fromEntries(
  dateTimeIgnored.map((name) => [name, Type.Optional(Type.Unknown({ description: 'Ignored, as Meta does.' }))]),
)
const DateTimeParameter = parameter('DateTime', 'A date or a time, as a text.', {
  type: typed('date_time'),
  parameter_name: Name,
  date_time: part('WhatsApp shows `fallback_value`.', {
    fallback_value: filled('The text to show.', { examples: ['18 November 2026'] }),
    ...ignored,
  }),
})

const file = {
  link: optional(
    filled('http or https address of the file. Give either `link` or `media_id`.', {
      examples: ['https://files.example.com/a'],
    }),
  ),
  media_id: optional(filled('Id of an uploaded file.')),
  id: optional(filled("Meta's name for `media_id`. It takes ids of Postern, not those of Meta.")),
}

const ImageParameter = parameter('Image', 'An image.', { type: typed('image'), image: part('The file.', file) })
const VideoParameter = parameter('Video', 'A video.', { type: typed('video'), video: part('The file.', file) })
const DocumentParameter = parameter('Document', 'A document.', {
  type: typed('document'),
  document: part('The file.', { ...file, filename: optional(filled('Name the customer sees.')) }),
})

const LocationParameter = parameter('Location', 'A place on a map.', {
  type: typed('location'),
  location: part('The place.', {
    latitude: degrees('Degrees north of the equator, as a number or as digits.', 90),
    longitude: degrees('Degrees east of Greenwich, as a number or as digits.', 180),
    name: optional(filled('Name of the place.')),
    address: optional(filled('Address of the place, shown below its name.')),
  }),
})

const productId = filled('Id of the product, as your business named it in the catalog.', { examples: ['sku-1'] })
const ProductParameter = parameter('Product', 'A product of a catalog.', {
  type: typed('product'),
  product: part('The product.', {
    product_retailer_id: productId,
    catalog_id: filled('Id of the catalog.', { examples: ['194836987003835'] }),
  }),
})

const PayloadParameter = parameter('Payload', 'The payload of a quick reply. You get it when the customer taps it.', {
  type: typed('payload'),
  payload: filled('The payload.'),
})

const CouponParameter = parameter('CouponCode', 'The code that a button copies.', {
  type: typed('coupon_code'),
  coupon_code: filled('The code.', { maxLength: 20, examples: ['SAVE25'] }),
})

const ActionParameter = parameter('Action', 'What a Flow starts with, or the products that a button shows.', {
  type: typed('action'),
  action: part('`flow` takes the first two fields, `catalog` the third, `mpm` the last two.', {
    flow_token: optional(filled('Your token for this run of the Flow.')),
    flow_action_data: optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'The data of the first screen of the Flow.' }),
    ),
    thumbnail_product_retailer_id: optional(filled('The product whose picture the message shows.')),
    sections: optional(
      Type.Array(
        object({
          title: filled('Title of the section.', { maxLength: 24 }),
          product_items: Type.Array(object({ product_retailer_id: productId }), {
            minItems: 1,
            description: 'The products, at most 30 in all sections.',
          }),
        }),
        { minItems: 1, maxItems: 10, description: 'The products by section.' },
      ),
    ),
  }),
})

const OfferParameter = parameter('LimitedTimeOffer', 'The end of a limited-time offer.', {
  type: typed('limited_time_offer'),
  limited_time_offer: part('The end.', {
    expiration_time_ms: integer('Milliseconds since 1970.', {
      minimum: 1e12,
      maximum: 1e13 - 1,
      examples: [1_893_456_000_000],
    }),
  }),
})

const unionOf = (...schemas: TSchema[]) => Type.Union(schemas.map((schema) => ref(schema)))
const parametersOf = (...schemas: [TSchema, ...TSchema[]]) =>
  optional(
    Type.Array(schemas.length === 1 ? ref(schemas[0]) : unionOf(...schemas), {
      description: 'The values, in the order of the template.',
    }),
  )

const HeaderValues = model(
  'TemplateHeaderValues',
  'The values of the header: of its text, or its file, place or product.',
  {
    type: typed('header'),
    parameters: parametersOf(
      TextParameter,
      ImageParameter,
      VideoParameter,
      DocumentParameter,
      LocationParameter,
      ProductParameter,
    ),
  },
)

const BodyValues = model('TemplateBodyValues', 'The values of the body.', {
  type: typed('body'),
  parameters: parametersOf(TextParameter, CurrencyParameter, DateTimeParameter),
})

const ButtonValues = model('TemplateButtonValues', 'The value of one button.', {
  type: typed('button'),
  sub_type: eitherCase<ButtonSubType>(
    buttonSubTypes,
    'Kind of the button; `url` also for a button that copies a one-time code. In lower case or in capital letters.',
  ),
  index: Type.Unsafe<number | string>({
    anyOf: [
      { type: 'integer', minimum: 0, maximum: 99 },
      { type: 'string', pattern: String.raw`^\d{1,2}$` },
    ],
    description: 'Position of the button, as a number or as digits; the first is 0.',
    examples: [0],
  }),
  parameters: parametersOf(TextParameter, PayloadParameter, CouponParameter, ActionParameter),
})

const OfferValues = model(
  'TemplateLimitedTimeOfferValues',
  'The end of the offer, where the message counts down to it.',
  {
    type: typed('limited_time_offer'),
    parameters: parametersOf(OfferParameter),
  },
)

const CarouselValues = model('TemplateCarouselValues', 'The values of the cards of a carousel.', {
  type: typed('carousel'),
  cards: Type.Array(
    object({
      card_index: optional(
        integer('Position of the card; the first is 0. Default: its place in the list.', {
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
        }),
      ),
      components: Type.Optional(
        Type.Array(unionOf(HeaderValues, BodyValues, ButtonValues), { description: 'The values of this card.' }),
      ),
    }),
    { description: 'The cards.' },
  ),
})

const componentName = 'TemplateComponentValues'
named(componentName, {
  ...unionOf(HeaderValues, BodyValues, ButtonValues, OfferValues, CarouselValues),
  description: 'The values of one part of a template.',
})

/** `components` of a send or of a preview. */
export const componentValues = (description: string) =>
  Type.Array(Type.Unsafe<unknown>({ 'x-described-by': componentName }), { maxItems: 20, description })
