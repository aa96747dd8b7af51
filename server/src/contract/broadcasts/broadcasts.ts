import Type, { type Static } from 'typebox'
import { Pagination } from '../envelope.ts'
import { exampleId, moment } from '../messages/message-fields.ts'
import {
  boolean,
  instant,
  integer,
  model,
  named,
  nullable,
  object,
  oneOf,
  optional,
  part,
  ref,
  text,
  withHint,
} from '../schema.ts'
import { componentValues } from '../template-components.ts'

const exampleBroadcast = 'bct_01kb3m7y3t4d0v9v4k6q1t7r2c'
const exampleUpload = 'upl_01kb3m7y3t4d0v9v4k6q1t7r2d'
const broadcast_id = text('Id of the broadcast.', { pattern: '^bct_[0-9a-z]{26}$', examples: [exampleBroadcast] })
const upload_id = text('Id of the upload.', { pattern: '^upl_[0-9a-z]{26}$', examples: [exampleUpload] })

export const BroadcastPath = object({ broadcast_id })
export const UploadPath = object({ broadcast_id, upload_id })

export const broadcastStatuses = ['draft', 'scheduled', 'running', 'paused', 'completed', 'canceled'] as const
export type BroadcastStatus = (typeof broadcastStatuses)[number]

export const holdReasons = [
  'messaging_limit',
  'quota',
  'quiet_hours',
  'meta_unavailable',
  'channel',
  'template_paused',
  'account_suspended',
] as const
export type HoldReason = (typeof holdReasons)[number]
export const pauseReasons = [
  'template_rejected',
  'template_changed',
  'quality_low',
  'restricted',
  'payment_missing',
  'restored',
  'key_revoked',
  'too_many_failures',
  'by_person',
] as const
export type PauseReason = (typeof pauseReasons)[number]

const clock = '^(?:[01][0-9]|2[0-3]):[0-5][0-9]$'
const QuietHours = part('When nothing is sent. A recipient whose turn falls into them waits for their end.', {
  from: text('When they begin, as HH:MM.', { pattern: clock, examples: ['21:00'] }),
  to: text('When they end, as HH:MM; before `from` means the next day.', { pattern: clock, examples: ['08:00'] }),
  time_zone: text(
    '`recipient`: the `time_zone` of the line, otherwise all time zones of the country of the number. Or one IANA time zone for everybody, such as `Europe/Lisbon`.',
    { minLength: 1, maxLength: 64, examples: ['recipient'] },
  ),
})

const name = text('Your name for it; recipients never see it.', {
  minLength: 1,
  maxLength: 120,
  examples: ['Spring sale'],
})
const template = text('Name of the template.', { minLength: 1, maxLength: 512, examples: ['spring_sale'] })
const language = text('Language code of the template.', {
  pattern: '^[A-Za-z]{2,3}(?:[_-][A-Za-z]{2})?$',
  examples: ['pt_PT'],
  ...withHint('invalid_language', 'Write the language as en, en_US or pt_BR.'),
})
const components = componentValues(
  'Values for the variables of the template, as in a send. `{{column}}` stands for a value of the recipient, and `{{column|instead}}` says what stands there where it is empty.',
)
const from = text('The WhatsApp number to send from: one of your numbers, or its id. Default: your default number.', {
  minLength: 1,
  maxLength: 64,
})
const valid_for = integer(
  'Seconds after the start in which it may still send; what is left then has expired. Default: 259200.',
  {
    minimum: 600,
    maximum: 2_592_000,
  },
)
const max_per_second = integer(
  'Sends at most this many messages a second. Default: as many as the number has room for.',
  {
    minimum: 1,
    maximum: 1_000,
  },
)
export const messageEvents = ['all', 'failed', 'none'] as const
const message_events = oneOf(messageEvents, {
  description:
    'Which events of its messages your webhooks and the event feed get. A million recipients are three million events. Records and analytics are complete in any case. Default: `all`.',
})

export const recipientsOfJsonMax = 1_000
const Recipient = part('A recipient.', {
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
const recipients = Type.Array(Recipient, {
  description: 'The recipients, up to 1,000.',
  minItems: 1,
  maxItems: recipientsOfJsonMax,
})

const start_at = {
  ...moment('When to start: up to 30 days ahead, and no longer than the operator keeps message contents.'),
  examples: ['2026-12-01T09:00:00+00:00'],
}

const exampleComponents = [
  {
    type: 'body',
    parameters: [
      { type: 'text', text: '{{first_name|customer}}' },
      { type: 'text', text: '{{code}}' },
    ],
  },
]
/** With a template that every account of a sandbox has. */
const exampleDraft = {
  name: 'Orders of May',
  template: 'order_confirmation',
  language: 'en_US',
  components: [
    {
      type: 'body',
      parameters: ['{{first_name|customer}}', '{{order}}', '{{total}}'].map((text) => ({ type: 'text', text })),
    },
  ],
}

export const BroadcastDraft = named(
  'BroadcastDraft',
  object(
    {
      name,
      from: optional(from),
      template,
      language,
      components: optional(components),
      quiet_hours: optional(QuietHours),
      valid_for: optional(valid_for),
      max_per_second: optional(max_per_second),
      message_events: optional(message_events),
      recipients: optional(recipients),
      start: optional(boolean('Start at once. Needs `recipients`, all of them valid. Default: false.')),
      start_at: optional(start_at),
    },
    { description: 'A broadcast to create.', examples: [exampleDraft] },
  ),
)
export type BroadcastDraft = Static<typeof BroadcastDraft>

export const BroadcastChanges = named(
  'BroadcastChanges',
  object(
    {
      name: Type.Optional(name),
      from: Type.Optional(from),
      template: Type.Optional(template),
      language: Type.Optional(language),
      components: optional(components),
      quiet_hours: optional(QuietHours),
      valid_for: Type.Optional(valid_for),
      max_per_second: optional(max_per_second),
      message_events: Type.Optional(message_events),
    },
    {
      description:
        'What is to change. `from`, `template`, `language` and `components` can be changed as long as it is a draft.',
      examples: [{ name: 'Spring sale, second try' }],
      minProperties: 1,
    },
  ),
)
export type BroadcastChanges = Static<typeof BroadcastChanges>

const Counts = part(
  '`accepted` is always the sum of all others but `delivered` and `read`, which are parts of `sent`.',
  {
    accepted: integer('Recipients.'),
    waiting: integer('Their turn has not come.'),
    under_way: integer('Meta is being called, or the result is not counted yet.'),
    sent: integer('Meta accepted the message.'),
    delivered: integer('It reached the phone.'),
    read: integer('The recipient opened it.'),
    failed: integer('It will not arrive.'),
    unknown: integer('Nobody knows whether Meta has the message; it is never sent again.'),
    skipped: integer('Nothing was sent, for the reasons in `skipped`.'),
    expired: integer('Their turn did not come in time.'),
    canceled: integer('The broadcast was canceled before their turn.'),
  },
)

const Money = part('An amount of money.', {
  amount: text('A decimal number.', { pattern: String.raw`^\d{1,12}(?:\.\d{1,6})?$`, examples: ['500'] }),
  currency: text('ISO 4217 code.', { pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
})

const described = {
  id: broadcast_id,
  name,
  status: oneOf(broadcastStatuses, { description: 'What it is doing.' }),
  reason: nullable(
    oneOf([...holdReasons, ...pauseReasons], {
      description:
        'Why it is held or paused; null otherwise. Held, it goes on by itself and stays `running`: `messaging_limit`, `quota`, `quiet_hours`, `meta_unavailable`, `channel`, `template_paused`, `account_suspended`. Paused, it waits for a person: all others.',
      examples: [null],
    }),
  ),
  hold: nullable(
    object(
      {
        reason: text('The reason.'),
        since: instant({ description: 'Since when.' }),
        until: nullable(instant({ description: 'When it looks again.' })),
      },
      { description: 'While it is held; null otherwise.', examples: [null] },
    ),
  ),
  from: nullable(text('The WhatsApp number it sends from.', { examples: ['+15550100001'] })),
  template,
  language,
  components: nullable(
    Type.Array(Type.Unknown(), { description: 'Its values with `{{columns}}`.', examples: [exampleComponents] }),
  ),
  columns: Type.Array(Type.String(), {
    description: 'The columns that the values name.',
    examples: [['first_name', 'code']],
  }),
  quiet_hours: nullable(QuietHours),
  valid_for,
  max_per_second: nullable(max_per_second),
  message_events,
  counts: Counts,
  skipped: Type.Record(Type.String(), Type.Integer(), {
    description:
      'Recipients that were skipped, by reason: `opted_out`, `blocked`, `duplicate`, `erased`, or the code of the error that sending to them would have had.',
    examples: [{ opted_out: 9 }],
  }),
  failures: Type.Array(
    object({
      code: text('Error code.', { examples: ['recipient_unreachable'] }),
      count: integer('How many messages failed with it.'),
    }),
    {
      description: 'Failed messages by error code, the most frequent first.',
    },
  ),
  rate: nullable(
    object(
      {
        per_second: Type.Number({ description: 'Messages a second it may send.' }),
        ends_at: instant({ description: 'When everybody has had their turn at this rate.' }),
      },
      { description: 'While it runs and is not held; null otherwise.', examples: [null] },
    ),
  ),
  cost: nullable(
    object(
      { amount: text('The amount.'), currency: text('Its currency.') },
      { description: 'What Meta charges for what was delivered; null without a rate card.', examples: [null] },
    ),
  ),
  created_at: instant({ description: 'When it was created.' }),
  updated_at: instant({ description: 'When it was last changed.' }),
  start_at: nullable(instant({ description: 'When it is to start.', examples: [null] })),
  started_at: nullable(instant({ description: 'When it started.', examples: [null] })),
  expires_at: nullable(instant({ description: 'It sends nothing after this time.', examples: [null] })),
  ended_at: nullable(
    instant({ description: 'When everybody had a result, or when it was canceled.', examples: [null] }),
  ),
  as_of: instant({ description: 'When the results were counted.' }),
}
export const Broadcast = model('Broadcast', 'A broadcast with its progress.', described)
export const BroadcastList = model('BroadcastList', 'Broadcasts, newest first.', {
  broadcasts: Type.Array(ref(Broadcast), { description: 'The broadcasts of the page.' }),
  pagination: ref(Pagination),
})
export const BroadcastQuery = object({
  status: Type.Optional(oneOf(broadcastStatuses, { description: 'Only those with this status.' })),
  limit: Type.Optional(integer('Broadcasts per page.', { minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })),
})
export const DeletedBroadcast = model('DeletedBroadcast', 'A broadcast that was deleted.', {
  id: broadcast_id,
  deleted: Type.Literal(true, { description: 'Always `true`.' }),
})

export const RecipientsUpload = model('RecipientsUpload', 'Recipients as JSON.', { recipients })
export const UploadQuery = object({
  dry_run: Type.Optional(boolean('Only check the recipients; nothing is stored. Default: false.')),
  replace: Type.Optional(boolean('Replace all recipients of the broadcast. Default: false.')),
  to_column: Type.Optional(
    text(
      'The column of a CSV file with the phone numbers. Default: `to`, `phone`, `phone_number`, `mobile` or `whatsapp`.',
      {
        minLength: 1,
        maxLength: 128,
      },
    ),
  ),
})

const CountryCounts = Type.Array(
  object({
    country: nullable(text('ISO 3166 code of the country; null where the number does not tell.', { examples: ['PT'] })),
    count: integer('Recipients.'),
  }),
  { description: 'Recipients by country, the most first.' },
)

export const UploadResult = model('UploadResult', 'What was taken of an upload.', {
  upload_id: nullable(upload_id),
  rows: integer('Lines with recipients.', { examples: [48_300] }),
  accepted: integer('Recipients that were added.', { examples: [48_211] }),
  invalid: integer('Lines that were rejected.', { examples: [62] }),
  duplicates: integer('Lines with a recipient who was there before.', { examples: [27] }),
  columns: Type.Array(Type.String(), {
    description: 'The columns of the upload.',
    examples: [['phone', 'first_name']],
  }),
  countries: CountryCounts,
  problems: Type.Array(
    object({
      line: integer('Line of the file, or place in the list.', { examples: [118] }),
      column: nullable(text('The column that is wrong.', { examples: ['to'] })),
      code: text('What is wrong.', { examples: ['invalid_phone_number'] }),
      message: text('How to write it.', { examples: ['Leave out the 0 after the country code +351.'] }),
    }),
    { description: 'The first 100 lines that were not taken.' },
  ),
  problems_total: integer('Lines that were not taken.', { examples: [89] }),
})

const line = integer('Line of the last upload. Default: its first recipient.', { minimum: 1 })
export const BroadcastPreviewRequest = model('BroadcastPreviewRequest', 'Which recipient to show.', {
  line: optional(line),
})
export const BroadcastPreview = model('BroadcastPreview', 'The message as a recipient would see it.', {
  line: integer('Line of the recipient.'),
  to: text('The recipient.', { examples: ['+12025550100'] }),
  content: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The rendered message.',
    examples: [{ body: 'Hello Ana' }],
  }),
})
export const BroadcastTestRequest = model('BroadcastTestRequest', 'Whom to send a test to.', {
  to: Type.Array(Type.String(), {
    description: 'Up to 5 phone numbers.',
    minItems: 1,
    maxItems: 5,
    examples: [['+12025550100']],
  }),
  line: optional(line),
})
export const BroadcastTest = model('BroadcastTest', 'Messages that were really sent, and count and cost as such.', {
  messages: Type.Array(
    object({
      to: text('The recipient.', { examples: ['+12025550100'] }),
      message_id: nullable(text('Id of the message; null where it was not sent.', { examples: [exampleId] })),
      error: nullable(
        object(
          { code: text('Error code.'), message: text('What happened.') },
          { description: 'Why it was not sent; null otherwise.', examples: [null] },
        ),
      ),
    }),
    { description: 'One for each of `to`.' },
  ),
})

export const BroadcastStart = named(
  'BroadcastStart',
  object(
    {
      start_at: optional(start_at),
      recipients: optional(integer('How many recipients you expect; another number is rejected.', { minimum: 0 })),
      max_cost: optional(Money),
    },
    { description: 'How to start.', examples: [{ recipients: 48_211 }] },
  ),
)
export type BroadcastStart = Static<typeof BroadcastStart>

export const BroadcastEstimate = model('BroadcastEstimate', 'What a broadcast would do now.', {
  recipients: integer('Recipients whose turn has not come.'),
  countries: CountryCounts,
  skipped: Type.Record(Type.String(), Type.Integer(), {
    description: 'Recipients who would be skipped, by reason.',
    examples: [{ opted_out: 9, blocked: 2 }],
  }),
  category: nullable(text('Category of the template.', { examples: ['marketing'] })),
  cost: nullable(
    object(
      {
        amount: text('At most this.'),
        currency: text('Its currency.'),
        basis: text('What it was computed from.'),
      },
      { description: 'Null without a rate card for every country.', examples: [null] },
    ),
  ),
  per_second: Type.Number({ description: 'Messages a second it may send.' }),
  duration_seconds: nullable(integer('How long it would take; null where a limit makes that impossible to tell.')),
  limited_by: oneOf(['number_rate', 'max_per_second', 'quota', 'messaging_limit'], {
    description: 'What limits it most.',
  }),
  ends_at: nullable(instant({ description: 'When it would end if it started now, quiet hours left out.' })),
  fits_valid_for: boolean('Whether it would end within `valid_for`.'),
  as_of: instant({ description: 'When it was computed.' }),
})

export const recipientResults = [
  'waiting',
  'under_way',
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'skipped',
  'expired',
  'canceled',
] as const
export type RecipientResult = (typeof recipientResults)[number]

export const RecipientsQuery = object({
  result: Type.Optional(
    oneOf(recipientResults, { description: 'Only these. `sent` includes those delivered and read.' }),
  ),
  code: Type.Optional(text('Only with this error code or reason.', { maxLength: 64 })),
  limit: Type.Optional(integer('Recipients per page.', { minimum: 1, maximum: 500, default: 100 })),
  cursor: Type.Optional(text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })),
})
export const RecipientsFileQuery = object({
  result: RecipientsQuery.properties.result,
  code: RecipientsQuery.properties.code,
})

export const BroadcastRecipient = model('BroadcastRecipient', 'A recipient and what became of them.', {
  line: integer('Line of the upload.'),
  upload_id,
  to: nullable(text('The recipient; null when they were erased.', { examples: ['+12025550100'] })),
  client_reference: nullable(text('Your reference.', { examples: [null] })),
  result: oneOf(recipientResults, { description: 'What became of them.' }),
  code: nullable(text('Error code of a failure, or the reason of a skip.', { examples: [null] })),
  message_id: nullable(text('Id of the message.', { examples: [exampleId] })),
  sent_at: nullable(instant({ description: 'When Meta accepted it.' })),
  delivered_at: nullable(instant({ description: 'When it reached the phone.' })),
  read_at: nullable(instant({ description: 'When it was opened.', examples: [null] })),
  failed_at: nullable(instant({ description: 'When it failed.', examples: [null] })),
})
export const BroadcastRecipients = model('BroadcastRecipients', 'Recipients in their order.', {
  recipients: Type.Array(ref(BroadcastRecipient), { description: 'The recipients of the page.' }),
  pagination: ref(Pagination),
})

export const BroadcastCopy = named(
  'BroadcastCopy',
  object(
    {
      name: optional(name),
      results: Type.Array(oneOf(recipientResults), {
        description: 'Whom to copy, by result.',
        minItems: 1,
        maxItems: recipientResults.length,
        examples: [['failed']],
      }),
      codes: optional(
        Type.Array(Type.String({ maxLength: 64 }), { description: 'Of those, only with these codes.', maxItems: 50 }),
      ),
      accept_duplicates: optional(
        boolean(
          'Needed for `waiting`, `unknown`, and results with a message: these people may get a second one. Also copies who was skipped as a `duplicate`. Default: false.',
        ),
      ),
    },
    { description: 'Recipients to copy into a new draft.', examples: [{ results: ['failed'] }] },
  ),
)
export type BroadcastCopy = Static<typeof BroadcastCopy>
