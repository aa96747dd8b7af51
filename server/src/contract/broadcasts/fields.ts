import Type from 'typebox'
import { moment } from '../messages/message-fields.ts'
import { integer, nullable, object, oneOf, optional, part, text, withHint } from '../schema.ts'
import { componentValues } from '../template-components.ts'

export const exampleBroadcast = 'bct_01kb3m7y3t4d0v9v4k6q1t7r2c'
export const exampleUpload = 'upl_01kb3m7y3t4d0v9v4k6q1t7r2d'
export const broadcast_id = text('Id of the broadcast.', {
  pattern: '^bct_[0-9a-z]{26}$',
  examples: [exampleBroadcast],
})
export const upload_id = text('Id of the upload.', { pattern: '^upl_[0-9a-z]{26}$', examples: [exampleUpload] })

export const clock = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$'
export const QuietHours = part(
  'Hours in which nothing is sent. Recipients in their quiet hours wait until these end.',
  {
    from: text('When they begin, as HH:MM.', { pattern: clock, examples: ['21:00'] }),
    to: text('When they end, as HH:MM; before `from` means the next day.', { pattern: clock, examples: ['08:00'] }),
    time_zone: text(
      '`recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`.',
      { minLength: 1, maxLength: 64, examples: ['recipient'] },
    ),
  },
)

export const name = text('Your name for it; recipients never see it.', {
  minLength: 1,
  maxLength: 120,
  examples: ['Spring sale'],
})
export const template = text('Name of the template.', { minLength: 1, maxLength: 512, examples: ['spring_sale'] })
export const language = text('Language code of the template.', {
  pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z]{2})?$',
  examples: ['pt_PT'],
  ...withHint('invalid_language', 'Write the language as en, en_US or pt_BR.'),
})
export const components = componentValues(
  'Values for the variables of the template, as in a send. `{{column}}` stands for a value of the recipient, and `{{column|default}}` provides a default for empty values.',
)
export const from = text(
  'The WhatsApp number to send from: one of your numbers, or its id. Default: your default number.',
  {
    minLength: 1,
    maxLength: 64,
  },
)
export const valid_for = integer(
  'How many seconds after the start it may still send; remaining recipients then become `expired`. Default: 259200.',
  {
    minimum: 600,
    maximum: 2_592_000,
  },
)
export const max_per_second = integer('Maximum messages per second. Default: the spare capacity of the number.', {
  minimum: 1,
  maximum: 1_000,
})
export const messageEvents = ['all', 'failed', 'none'] as const
export const message_events = oneOf(messageEvents, {
  description:
    'Which events of its messages your webhooks and the event feed get. A million recipients are three million events. Records and analytics are always complete. Default: `all`.',
})

export const recipientsOfJsonMax = 1_000
export const Recipient = part('A recipient.', {
  to: text('Phone number in international format, or a WhatsApp user id.', { examples: ['+12025550100'] }),
  values: optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'The values of the columns, each a text, a number, true or false.',
      examples: [{ first_name: 'Ana', code: 'SPRING10' }],
    }),
  ),
  client_reference: optional(text('Your own reference; the message repeats it.', { maxLength: 128 })),
  time_zone: optional(text('IANA time zone of the recipient.', { maxLength: 64, examples: ['Europe/Lisbon'] })),
})
export const recipients = Type.Array(Recipient, {
  description: 'The recipients, up to 1,000.',
  minItems: 1,
  maxItems: recipientsOfJsonMax,
})

export const start_at = {
  ...moment('When to start: up to 30 days ahead, and no longer than the operator keeps message contents.'),
  examples: ['2026-12-01T09:00:00+00:00'],
}

export const exampleComponents = [
  {
    type: 'body',
    parameters: [
      { type: 'text', text: '{{first_name|customer}}' },
      { type: 'text', text: '{{code}}' },
    ],
  },
]
export const Money = part('An amount of money.', {
  amount: text('A decimal number.', { pattern: String.raw`^\d{1,12}(?:\.\d{1,6})?$`, examples: ['500'] }),
  currency: text('ISO 4217 code.', { pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
})

export const CountryCounts = Type.Array(
  object({
    country: nullable(text('ISO 3166 code of the country; null if the number does not show it.', { examples: ['PT'] })),
    count: integer('Recipients.'),
  }),
  { description: 'Recipients by country, largest first.' },
)

export const line = integer('Line of the last upload that added recipients. Default: its first recipient.', {
  minimum: 1,
})
