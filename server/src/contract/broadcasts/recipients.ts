import Type, { type Static } from 'typebox'
import { Pagination } from '../envelope.ts'
import { exampleId } from '../messages/message-fields.ts'
import { boolean, instant, integer, model, named, nullable, object, oneOf, optional, ref, text } from '../schema.ts'
import { broadcast_id, CountryCounts, line, name, recipients, upload_id } from './fields.ts'

export const UploadPath = object({ broadcast_id, upload_id })

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

export const UploadResult = model('UploadResult', 'The result of an upload.', {
  upload_id: nullable(upload_id),
  rows: integer('Lines with recipients.', { examples: [48_300] }),
  accepted: integer('Recipients that were added.', { examples: [48_211] }),
  invalid: integer('Lines that were rejected.', { examples: [62] }),
  duplicates: integer('Lines with a recipient who is already in the list.', { examples: [27] }),
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
    { description: 'The first 100 invalid lines.' },
  ),
  problems_total: integer('Invalid lines.', { examples: [89] }),
})

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

export const BroadcastRecipient = model('BroadcastRecipient', 'A recipient and their result.', {
  line: integer('Line of the upload.'),
  upload_id,
  to: nullable(text('The recipient; null when they were erased.', { examples: ['+12025550100'] })),
  client_reference: nullable(text('Your reference.', { examples: [null] })),
  result: oneOf(recipientResults, { description: 'Their result.' }),
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
          'Required for `waiting`, `unknown`, and results with a message, because these people may get a second one. Also copies recipients skipped as `duplicate`. Default: false.',
        ),
      ),
    },
    { description: 'Recipients to copy into a new draft.', examples: [{ results: ['failed'] }] },
  ),
)
export type BroadcastCopy = Static<typeof BroadcastCopy>
