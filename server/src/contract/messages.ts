import Type from 'typebox'
import { ErrorDetail, Pagination } from './envelope.ts'
import { MediaFile } from './media.ts'
import { momentPattern } from './moment-pattern.ts'
import { instant, named, nullable, object, oneOf, optional, ref, tagged, withHint } from './schema.ts'

/** The same rule as lib/phone.ts, as a pattern, so that documents and clients know it too. */
/** White space, dashes, dots, parentheses, and the invisible marks of copied numbers; lib/phone.ts removes them. */
const separator = String.raw`[\s\-.()\u200b-\u200f\u2010-\u2015\u202a-\u202e\u2060\u2066-\u2069\u2212]`
const recipientPattern = `^${separator}*\\+${separator}*[1-9](?:${separator}*[0-9]){6,15}${separator}*$|^[A-Z]{2}\\.(?:ENT\\.)?[0-9A-Za-z]{1,128}$`

const recipient = (description: string) =>
  Type.String({
    maxLength: 255,
    pattern: recipientPattern,
    description,
    examples: ['+12025550100'],
    ...withHint('invalid_phone_number', "Start with '+' and the country code, for example +351912345678."),
  })

const To = recipient('Phone number in international format with a leading +, or a WhatsApp user id.')

const Language = Type.String({
  pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z]{2})?$',
  description: 'Language code of the template.',
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

const moment = (description: string) =>
  Type.String({
    maxLength: 64,
    pattern: momentPattern,
    description,
    ...withHint('invalid_format', 'Write a date or a date-time, for example 2026-11-15T10:30:00Z.'),
  })

const common = {
  to: To,
  from: optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'One of your numbers, or its id; the default number otherwise.',
    }),
  ),
  reply_to: optional(Type.String({ minLength: 1, maxLength: 255, description: 'Id of the message to quote.' })),
  client_reference: optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Yours; echoed in the record and in events.' }),
  ),
}

const Components = Type.Array(Type.Unknown(), {
  maxItems: 20,
  description: 'Values of the template: header, body and button components with their parameters, in order.',
})

const exampleTemplate = {
  to: '+12025550100',
  template: 'order_confirmation',
  language: 'en_US',
  components: [{ type: 'body', parameters: ['Ana', 'A-1001', '42.00 EUR'].map((text) => ({ type: 'text', text })) }],
}
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
]

export const SendText = named(
  'SendText',
  object({
    ...common,
    message: visible(4_096, { 'x-secret': true, description: 'Text of 1 to 4096 characters.' }),
    preview_url: optional(Type.Boolean()),
    fallback: optional(
      object(
        {
          template: Type.String({ minLength: 1, maxLength: 512 }),
          language: Language,
          components: optional(Components),
        },
        { description: 'Template to send instead when the 24-hour window is closed; the answer then has `used`.' },
      ),
    ),
  }),
)

export const SendTemplate = named(
  'SendTemplate',
  object(
    {
      ...common,
      template: Type.String({
        minLength: 1,
        maxLength: 512,
        description: 'Name of the template.',
        examples: ['order_confirmation'],
      }),
      language: Language,
      components: optional(Components),
    },
    { examples: [exampleTemplate] },
  ),
)

export const SendMedia = named(
  'SendMedia',
  object({
    ...common,
    type: oneOf(['image', 'document', 'audio', 'video']),
    media_id: optional(Type.String({ minLength: 1, maxLength: 255 })),
    link: optional(
      Type.String({
        maxLength: 2_048,
        pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
        ...withHint('https_required', 'A link must start with https://.'),
      }),
    ),
    caption: optional(Type.String({ minLength: 1, maxLength: 1_024, 'x-secret': true })),
    filename: optional(Type.String({ minLength: 1, maxLength: 240 })),
  }),
)

const Header = tagged(
  'type',
  object({ type: oneOf(['text']), text: Type.String({ maxLength: 1_024 }) }),
  object({
    type: oneOf(['image', 'video', 'document']),
    media_id: optional(Type.String({ maxLength: 255 })),
    link: optional(Type.String({ maxLength: 2_048 })),
    filename: optional(Type.String({ maxLength: 240 })),
  }),
)
const Row = object({
  id: Type.String({ maxLength: 1_024 }),
  title: Type.String({ maxLength: 1_024 }),
  description: optional(Type.String({ maxLength: 1_024 })),
})

export const SendInteractive = named(
  'SendInteractive',
  object(
    {
      ...common,
      type: oneOf(['buttons', 'list', 'quick_replies']),
      header: optional(Header),
      body: Type.String({ minLength: 1, maxLength: 16_384, 'x-secret': true }),
      footer: optional(Type.String({ maxLength: 1_024 })),
      buttons: optional(
        Type.Array(object({ id: Type.String({ maxLength: 1_024 }), title: Type.String({ maxLength: 1_024 }) }), {
          maxItems: 20,
        }),
      ),
      button: optional(Type.String({ maxLength: 1_024 })),
      sections: optional(
        Type.Array(
          object({ title: optional(Type.String({ maxLength: 1_024 })), rows: Type.Array(Row, { maxItems: 100 }) }),
          { maxItems: 20 },
        ),
      ),
      replies: optional(Type.Array(Type.String({ maxLength: 1_024 }), { maxItems: 20 })),
    },
    { examples: exampleChoices },
  ),
)

const used = Type.Optional(oneOf(['text', 'template'], { description: 'Only when the request had a fallback.' }))

export const SentText = named('SentText', object({ message_id: Type.String(), status: oneOf(['sent']), used }))
/** Null in an answer that is given again after the customer was erased. */
const recipientOfSend = () => nullable(Type.String({ description: 'Null when the customer was erased meanwhile.' }))

export const SentTemplate = named(
  'SentTemplate',
  object({
    message_id: Type.String(),
    to: recipientOfSend(),
    template: Type.String(),
    status: oneOf(['sent']),
    timestamp: instant(),
  }),
)
export const SentOther = named(
  'SentOther',
  object({
    message_id: Type.String(),
    to: recipientOfSend(),
    type: Type.String(),
    status: oneOf(['sent']),
    timestamp: instant(),
  }),
)

const Window = object({ state: oneOf(['open', 'closed', 'unknown']), expires_at: nullable(instant()) })

export const DryRun = named(
  'DryRun',
  object({
    dry_run: Type.Literal(true),
    would_send: Type.Boolean(),
    type: nullable(Type.String()),
    used: nullable(Type.String()),
    window: nullable(Window),
    template: nullable(object({ name: Type.String(), language: Type.String(), category: Type.String() })),
    media: nullable(ref(MediaFile)),
    content: nullable(Type.Record(Type.String(), Type.Unknown())),
    quota: nullable(object({ hour_remaining: Type.Integer(), day_remaining: Type.Integer() })),
    pace: nullable(
      object({
        sends_per_second: Type.Integer({ description: 'What Meta allows the number.' }),
        wait_ms: Type.Integer({ description: 'How long the message would wait for its turn now.' }),
      }),
    ),
    problems: Type.Array(
      object({ code: Type.String(), message: Type.String(), details: Type.Array(ref(ErrorDetail)) }),
    ),
  }),
)

const listed = {
  message_id: Type.String(),
  direction: oneOf(['outbound', 'inbound']),
  type: Type.String(),
  from: nullable(Type.String()),
  to: nullable(Type.String()),
  user_id: nullable(Type.String()),
  status: Type.String({ description: 'queued, sent, delivered, read, failed; received for inbound messages.' }),
  outcome: nullable(Type.String({ description: '`unknown` while nobody knows whether Meta has the message.' })),
  template: nullable(Type.String()),
  language: nullable(Type.String()),
  client_reference: nullable(Type.String()),
  reply_to: nullable(Type.String()),
  group_id: nullable(Type.String({ description: 'The group a customer wrote in; answers to it cannot be sent.' })),
  held: Type.Boolean({ description: 'Meta holds it back while it checks the quality of the template.' }),
  used: nullable(Type.String()),
  created_at: instant(),
  sent_at: nullable(instant()),
  delivered_at: nullable(instant()),
  read_at: nullable(instant()),
  failed_at: nullable(instant()),
  error: nullable(
    object({
      code: Type.String(),
      message: Type.String(),
      retryable: Type.Boolean(),
      upstream: nullable(
        object({
          code: nullable(Type.Integer()),
          title: nullable(Type.String()),
          detail: nullable(Type.String()),
          trace_id: nullable(Type.String()),
        }),
      ),
    }),
  ),
  contact: nullable(object({ name: nullable(Type.String()) }, { description: 'Of inbound messages.' })),
  content_purged_at: nullable(instant({ description: 'When what was said was erased; the record stays.' })),
}

export const MessageListItem = named('MessageListItem', object(listed))
export const Message = named(
  'Message',
  object({
    ...listed,
    content: nullable(Type.Record(Type.String(), Type.Unknown())),
    history: Type.Array(
      object({
        status: Type.String(),
        at: instant(),
        recorded_at: instant(),
        source: oneOf(['gateway', 'channel']),
        inferred: Type.Boolean(),
      }),
    ),
    window: Window,
    marketing: object(
      { state: oneOf(['opted_out', 'opted_in', 'unknown']), since: nullable(instant()) },
      { description: 'Whether the customer takes marketing messages of this number, as far as they told WhatsApp.' },
    ),
  }),
)
export const MessageList = named(
  'MessageList',
  object({ messages: Type.Array(ref(MessageListItem)), pagination: ref(Pagination) }),
)

export const MarkedRead = named('MarkedRead', object({ message_id: Type.String(), status: oneOf(['read']) }))
export const MarkRead = named(
  'MarkRead',
  object({ typing: optional(Type.Boolean({ description: 'Also show that an answer is being typed.' })) }),
)

export const MessageQuery = object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })),
  direction: Type.Optional(oneOf(['outbound', 'inbound'])),
  status: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^(?:queued|sent|delivered|read|failed|received)(?:,(?:queued|sent|delivered|read|failed|received))*$',
      description: 'One or several of queued, sent, delivered, read, failed, received; comma separated.',
      ...withHint('invalid_value', 'Use one or several of: queued, sent, delivered, read, failed, received.'),
    }),
  ),
  type: Type.Optional(Type.String({ maxLength: 32 })),
  phone_number: Type.Optional(recipient("The customer's number, or their WhatsApp user id.")),
  template: Type.Optional(Type.String({ maxLength: 512 })),
  client_reference: Type.Optional(Type.String({ maxLength: 128 })),
  api_key_id: Type.Optional(Type.String({ maxLength: 64 })),
  outcome: Type.Optional(oneOf(['unknown'])),
  since: Type.Optional(moment('Inclusive; a date or date-time.')),
  until: Type.Optional(moment('Exclusive; a date or date-time.')),
  order: Type.Optional(oneOf(['desc', 'asc'], { default: 'desc' })),
})

export const SendQuery = object({
  dry_run: Type.Optional(Type.Boolean({ default: false, description: 'Answer what would happen; send nothing.' })),
})
