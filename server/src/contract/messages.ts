import Type from 'typebox'
import { ErrorDetail, Pagination } from './envelope.ts'
import { MediaFile } from './media.ts'
import { momentPattern } from './moment-pattern.ts'
import {
  boolean,
  instant,
  integer,
  named,
  nullable,
  object,
  oneOf,
  optional,
  ref,
  tagged,
  text,
  withHint,
} from './schema.ts'

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
      description: 'The WhatsApp number to send from: one of your numbers, or its id. Default: your default number.',
    }),
  ),
  reply_to: optional(Type.String({ minLength: 1, maxLength: 255, description: 'Id of the message to quote.' })),
  client_reference: optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Your own reference, such as an order number. The message and its events repeat it.',
    }),
  ),
}

const Components = Type.Array(Type.Unknown(), {
  maxItems: 20,
  description:
    "Values for the template's variables, in Meta's form: header, body and button components with their parameters, in order.",
})

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
  object(
    {
      ...common,
      message: visible(4_096, { 'x-secret': true, description: 'The text, 1 to 4096 characters.' }),
      preview_url: optional(boolean('Whether WhatsApp shows a preview of the first link in the text. Default: false.')),
      fallback: optional(
        object(
          {
            template: text('Name of the template.', { minLength: 1, maxLength: 512 }),
            language: Language,
            components: optional(Components),
          },
          { description: 'Template to send instead when the 24-hour window is closed; the response then has `used`.' },
        ),
      ),
    },
    { description: 'A text message.', examples: [exampleText] },
  ),
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
    { description: 'A template message.', examples: [exampleTemplate] },
  ),
)

export const SendMedia = named(
  'SendMedia',
  object(
    {
      ...common,
      type: oneOf(['image', 'document', 'audio', 'video'], { description: 'Kind of file.' }),
      media_id: optional(
        text('Id of an uploaded file. Give either `media_id` or `link`.', { minLength: 1, maxLength: 255 }),
      ),
      link: optional(
        Type.String({
          maxLength: 2_048,
          pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
          description: 'Public https address of the file, which the gateway fetches.',
          ...withHint('https_required', 'A link must start with https://.'),
        }),
      ),
      caption: optional(
        text('Text below an image, document or video; audio has none.', {
          minLength: 1,
          maxLength: 1_024,
          'x-secret': true,
        }),
      ),
      filename: optional(text('Name the customer sees; for documents only.', { minLength: 1, maxLength: 240 })),
    },
    { description: 'An image, document, audio or video message.', examples: [exampleMedia] },
  ),
)

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
      type: oneOf(['buttons', 'list', 'quick_replies'], {
        description:
          'Form of the message: `buttons` needs `buttons`, `list` needs `button` and `sections`, `quick_replies` needs `replies`.',
      }),
      header: optional({
        ...Header,
        description: 'Header above the text: a text or a file. A list has text headers only.',
      }),
      body: text('The text of the message.', { minLength: 1, maxLength: 16_384, 'x-secret': true }),
      footer: optional(text('Small text below the message, at most 60 characters.', { maxLength: 1_024 })),
      buttons: optional(Type.Array(Button, { maxItems: 20, description: 'One to three buttons.' })),
      button: optional(text('Text on the button that opens the list, at most 20 characters.', { maxLength: 1_024 })),
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
    { description: 'A message with buttons, a list or quick replies.', examples: exampleChoices },
  ),
)

const exampleId = 'wamid.HBgLMTIwMjU1NTAxMDAVAgARGBI0QTQ2'
const used = Type.Optional(
  oneOf(['text', 'template'], {
    description: 'What was sent; only when the request had a `fallback`.',
  }),
)

const messageId = text('Id of the message at WhatsApp.', { examples: [exampleId] })
const sent = oneOf(['sent'], {
  description: 'WhatsApp accepted the message. Events tell when it is delivered and read.',
})
const acceptedAt = instant({ description: 'When WhatsApp accepted the message.' })

export const SentText = named(
  'SentText',
  object({ message_id: messageId, status: sent, used }, { description: 'The text message that was sent.' }),
)
/** Null in an answer that is given again after the customer was erased. */
const recipientOfSend = () =>
  nullable(
    text('Phone number of the customer; null when the customer was erased meanwhile.', { examples: ['+12025550100'] }),
  )

export const SentTemplate = named(
  'SentTemplate',
  object(
    {
      message_id: messageId,
      to: recipientOfSend(),
      template: text('Name of the template.', { examples: ['order_confirmation'] }),
      status: sent,
      timestamp: acceptedAt,
    },
    { description: 'The template message that was sent.' },
  ),
)
export const SentOther = named(
  'SentOther',
  object(
    {
      message_id: messageId,
      to: recipientOfSend(),
      type: text('Type of the message, as requested.', { examples: ['document'] }),
      status: sent,
      timestamp: acceptedAt,
    },
    { description: 'The message that was sent.' },
  ),
)

const Window = object(
  {
    state: oneOf(['open', 'closed', 'unknown'], { description: 'Whether you may send more than templates now.' }),
    expires_at: nullable(instant({ description: 'When the window closes; null when it is not open.' })),
  },
  { description: '24-hour window that opens with each message of the customer.' },
)

export const DryRun = named(
  'DryRun',
  object(
    {
      dry_run: Type.Literal(true, { description: 'Always true.' }),
      would_send: boolean('Whether the same request without `dry_run` would be sent now.'),
      type: nullable(text('Type of the message that would be sent.')),
      used: nullable(text('`text` or `template`, when the request has a `fallback`.')),
      window: nullable(Window),
      template: nullable(
        object(
          {
            name: text('Name of the template.'),
            language: text('Language of the template.'),
            category: text('Category of the template, which sets its price.'),
          },
          { description: 'The template that would be sent.' },
        ),
      ),
      media: { ...nullable(ref(MediaFile)), description: 'The file that would be sent.' },
      content: nullable(
        Type.Record(Type.String(), Type.Unknown(), { description: 'The message as the customer would see it.' }),
      ),
      quota: nullable(
        object(
          {
            hour_remaining: integer('Requests left in this hour.'),
            day_remaining: integer('Requests left in this day.'),
          },
          { description: 'What is left of the plan; null on a plan without limits.' },
        ),
      ),
      pace: nullable(
        object(
          {
            sends_per_second: Type.Integer({ description: 'Messages per second that Meta allows the number.' }),
            wait_ms: Type.Integer({ description: 'How long the message would wait now, in milliseconds.' }),
          },
          { description: 'Rate limit of your number; null when it is not known.' },
        ),
      ),
      problems: Type.Array(
        object({
          code: text('Error code the send would be refused with.'),
          message: text('What is wrong, in one sentence.'),
          details: Type.Array(ref(ErrorDetail), { description: 'The wrong fields.' }),
        }),
        { description: 'Why the message would not be sent; empty when it would.' },
      ),
    },
    { description: 'The response with `dry_run=true`: what would happen. Nothing was sent.' },
  ),
)

const listed = {
  message_id: text('Id of the message at WhatsApp; a provisional id, `out_…`, until WhatsApp has given one.', {
    examples: [exampleId],
  }),
  direction: oneOf(['outbound', 'inbound'], { description: '`outbound` is sent by you, `inbound` by the customer.' }),
  type: text('Type of the message, such as `text`, `template`, `image` or `interactive`.', { examples: ['text'] }),
  from: nullable(
    text('Phone number of the sender; null when it is not known or was erased.', { examples: ['+15550100001'] }),
  ),
  to: nullable(
    text('Phone number of the recipient; null when it is not known or was erased.', { examples: ['+12025550100'] }),
  ),
  user_id: nullable(text('WhatsApp user id of the customer, if known.', { examples: [null] })),
  status: text('`queued`, `sent`, `delivered`, `read` or `failed`; `received` for inbound messages.', {
    examples: ['delivered'],
  }),
  outcome: nullable(
    text('`unknown` while it is not known whether Meta has the message; null otherwise.', { examples: [null] }),
  ),
  template: nullable(text('Name of the template of a template message.', { examples: [null] })),
  language: nullable(text('Language of the template.', { examples: [null] })),
  client_reference: nullable(text('Your reference, as given with the send.', { examples: ['A-1001'] })),
  reply_to: nullable(text('Id of the message this one quotes.', { examples: [null] })),
  group_id: nullable(text('Id of the group the customer wrote in; you cannot send to groups.', { examples: [null] })),
  held: boolean('Meta holds it back while it checks the quality of the template.', { examples: [false] }),
  used: nullable(text('`text` or `template`: what was sent of a request with a `fallback`.', { examples: [null] })),
  created_at: instant({ description: 'When the gateway got the message.' }),
  sent_at: nullable(instant({ description: 'When WhatsApp accepted it.' })),
  delivered_at: nullable(instant({ description: 'When it reached the phone of the customer.' })),
  read_at: nullable(instant({ description: 'When the customer opened it.', examples: [null] })),
  failed_at: nullable(instant({ description: 'When it failed.', examples: [null] })),
  error: nullable(
    object(
      {
        code: text('Error code; the errors page explains it.'),
        message: text('What happened, in one sentence.'),
        retryable: boolean('Whether the same message can succeed later.'),
        upstream: nullable(
          object(
            {
              code: nullable(integer("Meta's error code.")),
              title: nullable(text("Meta's title of the error.")),
              detail: nullable(text("Meta's explanation.")),
              trace_id: nullable(text("Id of the call at Meta, for Meta's support.")),
            },
            { description: 'What Meta answered, when the error comes from there.' },
          ),
        ),
      },
      { description: 'Why the message failed; null otherwise.', examples: [null] },
    ),
  ),
  contact: nullable(
    object(
      { name: nullable(text('Name in the WhatsApp profile of the customer.')) },
      { description: 'The customer who wrote an inbound message.', examples: [null] },
    ),
  ),
  content_purged_at: nullable(
    instant({ description: 'When the content was erased; the rest of the record stays.', examples: [null] }),
  ),
}

export const MessageListItem = named(
  'MessageListItem',
  object(listed, { description: 'A message without its content and history.' }),
)
export const Message = named(
  'Message',
  object(
    {
      ...listed,
      content: nullable(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'What was said; the fields depend on `type`. Null when it was erased.',
          examples: [{ text: 'Your order A-1001 is on its way.' }],
        }),
      ),
      history: Type.Array(
        object({
          status: text('The status the message got.', { examples: ['delivered'] }),
          at: instant({ description: 'When it happened, by the clock of the source.' }),
          recorded_at: instant({ description: 'When the gateway learnt of it.' }),
          source: oneOf(['gateway', 'channel'], {
            description: 'Who said so: the gateway or WhatsApp (`channel`).',
            examples: ['channel'],
          }),
          inferred: boolean('True when WhatsApp did not report it, but a later status implies it.', {
            examples: [false],
          }),
        }),
        { description: 'Every status the message had, in order.' },
      ),
      window: Window,
      marketing: object(
        {
          state: oneOf(['opted_out', 'opted_in', 'unknown'], {
            description: 'What the customer chose.',
            examples: ['unknown'],
          }),
          since: nullable(instant({ description: 'When the customer chose it.', examples: [null] })),
        },
        { description: 'Whether the customer takes marketing messages of this number, as far as they told WhatsApp.' },
      ),
    },
    { description: 'A message with everything that is known about it.' },
  ),
)
export const MessageList = named(
  'MessageList',
  object(
    {
      messages: Type.Array(ref(MessageListItem), { description: 'The messages of this page.' }),
      pagination: ref(Pagination),
    },
    { description: 'A page of messages.' },
  ),
)

export const MarkedRead = named(
  'MarkedRead',
  object(
    { message_id: messageId, status: oneOf(['read'], { description: 'Always `read`.' }) },
    { description: 'The message that was marked as read.' },
  ),
)
export const MarkRead = named(
  'MarkRead',
  object(
    { typing: optional(Type.Boolean({ description: 'Also show the customer that you are typing. Default: false.' })) },
    { description: 'May be empty.', examples: [{ typing: true }] },
  ),
)

export const MessageQuery = object({
  limit: Type.Optional(integer('Messages per page.', { minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })),
  direction: Type.Optional(
    oneOf(['outbound', 'inbound'], { description: 'Only messages you sent, or only those from customers.' }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: '^(?:queued|sent|delivered|read|failed|received)(?:,(?:queued|sent|delivered|read|failed|received))*$',
      description: 'One or several of queued, sent, delivered, read, failed, received; comma separated.',
      ...withHint('invalid_value', 'Use one or several of: queued, sent, delivered, read, failed, received.'),
    }),
  ),
  type: Type.Optional(text('Only messages of this type, for example `text`.', { maxLength: 32 })),
  phone_number: Type.Optional(
    recipient('Only messages with this customer: the phone number, or the WhatsApp user id.'),
  ),
  template: Type.Optional(text('Only messages of this template.', { maxLength: 512 })),
  client_reference: Type.Optional(text('Only messages with exactly this reference.', { maxLength: 128 })),
  api_key_id: Type.Optional(text('Only messages sent with this API key; its id.', { maxLength: 64 })),
  outcome: Type.Optional(
    oneOf(['unknown'], { description: 'Only messages of which it is not known whether Meta has them.' }),
  ),
  since: Type.Optional(moment('Only messages created at or after this date or date-time.')),
  until: Type.Optional(moment('Only messages created before this date or date-time.')),
  order: Type.Optional(oneOf(['desc', 'asc'], { default: 'desc', description: 'Newest or oldest first.' })),
})

export const SendQuery = object({
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Check the request and say what would happen; nothing is sent.' }),
  ),
})

/** The ids of WhatsApp may contain slashes, so the id is the rest of the path. */
export const MessagePath = Type.Object({
  '*': text('Id of the message.', { minLength: 1, examples: [exampleId] }),
})
