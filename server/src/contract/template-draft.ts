import Type from 'typebox'
import { boolean, integer, model, named, object, optional, ref, text, withHint } from './schema.ts'
import { flowActions, otpTypes, sendTtlSeconds } from './template-content.ts'

export const categories = ['marketing', 'utility', 'authentication'] as const

/** Words of the platform come in either case. */
const word = (words: readonly string[], options: Record<string, unknown> = {}) =>
  Type.String({
    pattern: `^(?:${words.map(anyCase).join('|')})$`,
    ...withHint('invalid_value', `Use ${words.join(', ')}.`),
    ...options,
  })

function anyCase(text: string): string {
  return text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

export const Language = text('Language code of the template.', {
  pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z]{2})?$',
  examples: ['en_US'],
  ...withHint('invalid_language', 'Write the language as en, en_US or pt_BR.'),
})

const VariableDraft = Type.Unsafe<string | { name?: string | null; example?: string | null }>({
  anyOf: [
    { type: 'string', maxLength: 1_024 },
    object({
      name: optional(text('Name of the variable, for your own use or for {{name}} in the text.', { maxLength: 64 })),
      param_name: optional(text("Another name for `name`, as in Meta's form.", { maxLength: 64 })),
      example: optional(text('Example value, which Meta needs for the review.', { maxLength: 1_024 })),
    }),
  ],
})

const buttonTypes = [
  'quick_reply',
  'url',
  'phone_number',
  'copy_code',
  'flow',
  'catalog',
  'mpm',
  'spm',
  'request_contact_info',
  'otp',
]

const ButtonDraft = object({
  type: word(buttonTypes, {
    description:
      '`quick_reply`, `url`, `phone_number`, `copy_code` for a coupon, `flow`, `catalog`, `mpm` for several products, `spm` for the one of the header, `request_contact_info` to ask for the phone number, or `otp` for a one-time code; in either case.',
  }),
  text: optional(
    text(
      'Text on the button, at most 25 characters. Meta writes that of `copy_code` and `request_contact_info`; those of products have a default.',
      { maxLength: 256 },
    ),
  ),
  url: optional(text('Address of a `url` button. It may end in one variable, {{1}}.', { maxLength: 2_048 })),
  phone_number: optional(text('Number of a `phone_number` button, in international format.', { maxLength: 32 })),
  example: Type.Optional(
    Type.Unknown({ description: 'Example value for the variable of the url, or example of a coupon code.' }),
  ),
  flow_id: optional(text('Id at Meta of the published Flow that a `flow` button opens.', { maxLength: 64 })),
  flow_action: optional(
    word(flowActions, {
      description: '`navigate` opens a screen, `data_exchange` asks your endpoint. Default: `navigate`.',
    }),
  ),
  navigate_screen: optional(text('First screen of a Flow that is opened with `navigate`.', { maxLength: 256 })),
  otp_type: optional(
    word(otpTypes, {
      description:
        'How an `otp` button hands over the code: `copy_code`, or to your Android app with one tap (`one_tap`) or none (`zero_tap`). Default: `copy_code`.',
    }),
  ),
  autofill_text: optional(
    text('Text of the button that fills the code in, at most 25 characters. Meta has one in each language.', {
      maxLength: 256,
    }),
  ),
  supported_apps: optional(
    Type.Array(
      object({
        package_name: text('Package name of the Android app.', { maxLength: 256, examples: ['com.example.shop'] }),
        signature_hash: text('Hash of the key it is signed with, 11 characters.', {
          maxLength: 32,
          examples: ['K8a/AINcGX7'],
        }),
      }),
      { maxItems: 5, description: 'The apps that may get the code, for `one_tap` and `zero_tap`.' },
    ),
  ),
  zero_tap_terms_accepted: optional(
    boolean(
      'Must be true for `zero_tap`: you accept the terms of WhatsApp, and your customers expect the code to be filled in.',
    ),
  ),
  optional: optional(boolean('On a sandbox channel: a send may leave the value out.')),
})

export const TemplateComponentDraft = model('TemplateComponentDraft', 'One part of a template.', {
  type: word(['header', 'body', 'footer', 'buttons', 'limited_time_offer', 'carousel'], {
    description: '`header`, `body`, `footer`, `buttons`, `limited_time_offer` or `carousel`; in either case.',
  }),
  format: optional(
    word(['text', 'image', 'video', 'document', 'location', 'product'], {
      description: 'Format of a header. Default: text.',
    }),
  ),
  text: optional(
    text('Text of a header, body, footer or offer; header and body with {{1}}, {{2}} … or {{name}} for variables.', {
      maxLength: 4_096,
    }),
  ),
  variables: optional(
    Type.Array(VariableDraft, { maxItems: 100, description: 'A name and an example for each variable, in order.' }),
  ),
  example: Type.Optional(
    Type.Unknown({
      description:
        "Example of a media header: an object with `link`, `media_id` or `handle`. For texts Meta's own form.",
    }),
  ),
  optional: optional(boolean('On a sandbox channel: a send may leave the header out.')),
  add_security_recommendation: optional(
    boolean('In the body of an authentication template: adds the advice not to share the code.'),
  ),
  code_expiration_minutes: optional(
    integer('In the footer of an authentication template: how long the code is valid.', {
      minimum: 1,
      maximum: 90,
    }),
  ),
  has_expiration: optional(
    boolean('In a `limited_time_offer`: whether the message counts down to the end of the offer. Default: false.'),
  ),
  limited_time_offer: Type.Optional(
    Type.Unknown({ description: "Meta's form of a `limited_time_offer`: an object with `text` and `has_expiration`." }),
  ),
  cards: optional(
    Type.Array(
      object({
        components: Type.Array(Type.Unknown(), {
          maxItems: 5,
          description: 'The parts of the card, as those of a template: `header`, `body` and `buttons`.',
        }),
      }),
      { maxItems: 20, description: 'The cards of a `carousel`, 2 to 10.' },
    ),
  ),
  buttons: optional(
    Type.Array(ButtonDraft, { maxItems: 20, description: 'The buttons of a component of type `buttons`.' }),
  ),
})

const content = {
  category: optional(
    word(categories, {
      description: '`marketing`, `utility` or `authentication`; in either case. Default: `utility`.',
    }),
  ),
  body: optional(text('Text of the body; a short form for one component of type `body`.', { maxLength: 4_096 })),
  components: optional(
    Type.Array(ref(TemplateComponentDraft), { maxItems: 10, description: 'The parts of the template.' }),
  ),
  message_send_ttl_seconds: optional(
    integer(
      'How long Meta tries to deliver a message of it: 30 to 900 seconds for `authentication`, 30 to 43200 for `utility`, -1 for 30 days; 43200 to 2592000 for `marketing`. Default: 10 minutes for `authentication`, otherwise 30 days.',
      { minimum: -1, maximum: sendTtlSeconds.marketing.most },
    ),
  ),
}

const exampleBody = (text: string) => ({
  type: 'body',
  text,
  variables: [
    { name: 'name', example: 'Ana' },
    { name: 'order_id', example: 'A-1001' },
  ],
})

const exampleDraft = {
  name: 'order_ready',
  language: 'en_US',
  category: 'utility',
  components: [exampleBody('Hello {{1}}, your order {{2}} is ready for you.')],
}

// Other words: Meta accepts no second template with the same text.
const exampleChange = { components: [exampleBody('Hello {{1}}, your order {{2}} can be collected from today.')] }

export const TemplateDraft = named(
  'TemplateDraft',
  object(
    {
      name: text('Name of the template: lower-case letters, digits and underscores, at most 512 characters.', {
        maxLength: 1_024,
      }),
      language: optional(Language),
      parameter_format: optional(
        word(['positional', 'named'], {
          description:
            'Whether Meta knows the variables by number or by name; `named` needs {{name}} for each of them. In either case. Default: `positional`.',
        }),
      ),
      ...content,
      submit: optional(
        boolean('False keeps the template as a draft. Default: true, which submits it to Meta for review.'),
      ),
    },
    { description: 'A new template.', examples: [exampleDraft] },
  ),
)

export const TemplateChanges = named(
  'TemplateChanges',
  object(
    {
      ...content,
      submit: optional(boolean('False keeps a draft as a draft. Default: true.')),
      if_version: optional(
        integer('The `version` you are editing: if it differs, nothing is changed.', { minimum: 1 }),
      ),
    },
    { description: 'The fields to change. Fields that are left out stay as they are.', examples: [exampleChange] },
  ),
)
