import Type from 'typebox'
import { boolean, integer, named, object, oneOf, optional, part, text, withHint } from '../schema.ts'
import { componentValues } from '../template-components.ts'
import { moment, recipient } from './message-fields.ts'

/** Types of messages that can be sent, with the last part of the path that sends them. */
export const sentTypes = {
  text: 'send',
  template: 'template',
  image: 'media',
  document: 'media',
  audio: 'media',
  video: 'media',
  interactive: 'interactive',
  location: 'location',
  contacts: 'contacts',
  sticker: 'sticker',
  reaction: 'reaction',
} as const

export type SentType = keyof typeof sentTypes

export const sendPath = (name: (typeof sentTypes)[SentType]) => `/v1/chat/messages/${name}`

/** Every path that sends, once. */
export const sendPaths = [...new Set(Object.values(sentTypes))].map(sendPath)

const To = recipient('Phone number in international format with a leading +, or a WhatsApp user id.')

const Language = text('Language code of the template.', {
  pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z]{2})?$',
  examples: ['en_US'],
  ...withHint('invalid_language', 'Write the language as en, en_US or pt_BR.'),
})

/** A text with at least one visible character. */
const visible = (charactersMax: number, options: Record<string, unknown> = {}) =>
  Type.String({
    maxLength: charactersMax,
    pattern: String.raw`\S`,
    ...withHint('too_short', 'Give at least one character that is not white space.', ['pattern']),
    ...options,
  })

/** Fields that all sends share. */
export const common = {
  to: To,
  from: optional(
    text('The WhatsApp number to send from: one of your numbers, or its id. Default: your default number.', {
      minLength: 1,
      maxLength: 64,
    }),
  ),
  reply_to: optional(
    text('Id of the message to quote: one that this customer wrote or got.', { minLength: 1, maxLength: 255 }),
  ),
  client_reference: optional(
    text('Your own reference, such as an order number. The message and its events repeat it.', {
      minLength: 1,
      maxLength: 128,
    }),
  ),
  queue: optional(
    boolean(
      'Store the message and respond at once with the status `waiting`; it is sent as soon as your number and Meta allow. Default: false.',
    ),
  ),
  send_at: optional({
    ...moment(
      'When to send the message: up to 30 days ahead, and no longer than the operator keeps message contents. Implies `queue`.',
    ),
    examples: ['2026-12-01T09:00:00+00:00'],
  }),
  valid_for: optional(
    integer(
      'Seconds after `send_at`, or after now, until which a waiting message may still be sent. Default: 86400; 600 for authentication templates.',
      { minimum: 60, maximum: 2_592_000 },
    ),
  ),
}

/** How long Meta tries to deliver a direct send, in seconds. */
export const directSendSeconds = { utility: [30, 43_200], authentication: [30, 900] } as const

/** Of a text or an interactive message. */
export const DirectSend = part(
  "Sends the message at any time, without an approved template, through Meta's Direct Send. The WhatsApp Business account must be eligible.",
  {
    category: oneOf(['utility', 'authentication'], {
      description: 'What the message is: `utility`, or `authentication` for a one-time code as a text.',
    }),
    ttl_seconds: optional(
      integer(
        'How long Meta tries to deliver it: 30 to 43200 for `utility` (default: 30 days), 30 to 900 for `authentication` (default: 600). A message that is not delivered in time gets no further status.',
        { minimum: 30, maximum: 43_200 },
      ),
    ),
    template_name: optional(
      text('Name of the template that Meta creates from a `utility` message. Default: chosen by Meta.', {
        pattern: '^[a-z0-9_]{1,512}$',
        ...withHint('invalid_format', 'Use lower-case letters, digits and underscores.'),
      }),
    ),
  },
)

const Components = componentValues(
  "Values for the template's variables: one entry for each part of the template that has some, and one for each button.",
)

const exampleText = { to: '+12025550100', message: 'Your order A-1001 is on its way.', client_reference: 'A-1001' }
const exampleTemplate = {
  to: '+12025550100',
  template: 'order_confirmation',
  language: 'en_US',
  components: [{ type: 'body', parameters: ['Ana', 'A-1001', '42.00 EUR'].map((text) => ({ type: 'text', text })) }],
}
const exampleMedia = {
  to: '+12025550100',
  type: 'document',
  media_id: 'med_01ka3m7y3t4d0v9v4k6q1t7r2c',
  filename: 'receipt.pdf',
  caption: 'Your receipt',
}
export const SendText = named(
  'SendText',
  object(
    {
      ...common,
      message: visible(4_096, { 'x-secret': true, description: 'The text, 1 to 4096 characters.' }),
      preview_url: optional(boolean('Whether WhatsApp shows a preview of the first link in the text. Default: false.')),
      fallback: optional(
        part(
          "Template to send instead when the 24-hour window is closed, according to Postern or to Meta's response; the response then has `used`.",
          {
            template: text('Name of the template.', { minLength: 1, maxLength: 512 }),
            language: Language,
            components: optional(Components),
          },
        ),
      ),
      direct_send: optional(DirectSend),
    },
    { description: 'A text message.', examples: [exampleText] },
  ),
)

export const SendTemplate = named(
  'SendTemplate',
  object(
    {
      ...common,
      template: text('Name of the template.', { minLength: 1, maxLength: 512, examples: ['order_confirmation'] }),
      language: Language,
      components: optional(Components),
    },
    { description: 'A template message.', examples: [exampleTemplate] },
  ),
)

const source = {
  media_id: optional(
    text('Id of an uploaded file. Give either `media_id` or `link`.', { minLength: 1, maxLength: 255 }),
  ),
  link: optional(
    text('Public https address of the file, which the gateway fetches.', {
      maxLength: 2_048,
      pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
      ...withHint('https_required', 'A link must start with https://.'),
    }),
  ),
}

export const SendMedia = named(
  'SendMedia',
  object(
    {
      ...common,
      type: oneOf(['image', 'document', 'audio', 'video'], { description: 'Kind of file.' }),
      ...source,
      caption: optional(
        text('Text below an image, document or video; audio has none.', {
          minLength: 1,
          maxLength: 1_024,
          'x-secret': true,
        }),
      ),
      filename: optional(text('Name the customer sees; for documents only.', { minLength: 1, maxLength: 240 })),
      voice: optional(
        boolean('Send audio as a voice note, which WhatsApp shows as recorded; OGG with Opus only. Default: false.'),
      ),
    },
    { description: 'An image, document, audio or video message.', examples: [exampleMedia] },
  ),
)

export const SendSticker = named(
  'SendSticker',
  object(
    { ...common, ...source },
    {
      description: 'A sticker: a WebP file of at most 100 KB, animated 500 KB.',
      examples: [{ to: '+12025550100', media_id: exampleMedia.media_id }],
    },
  ),
)

export const SendQuery = object({
  dry_run: Type.Optional(
    boolean('Only check the request and return what would happen; nothing is sent.', { default: false }),
  ),
})
