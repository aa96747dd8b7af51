import Type from 'typebox'
import { Pagination } from '../envelope.ts'
import { instant, integer, model, nullable, object, oneOf, part, ref, text } from '../schema.ts'
import {
  broadcast_id,
  exampleComponents,
  language,
  max_per_second,
  message_events,
  name,
  QuietHours,
  template,
  valid_for,
} from './fields.ts'

export const BroadcastPath = object({ broadcast_id })
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
  'budget',
  'by_person',
] as const
export type PauseReason = (typeof pauseReasons)[number]

const Counts = part(
  '`accepted` is always the sum of all others but `delivered` and `read`, which are parts of `sent`.',
  {
    accepted: integer('Recipients.'),
    waiting: integer('Not processed yet.'),
    under_way: integer('Being sent, or the result is not counted yet.'),
    sent: integer('Meta accepted the message.'),
    delivered: integer('It reached the phone.'),
    read: integer('The recipient opened it.'),
    failed: integer('It will not arrive.'),
    unknown: integer('It is unknown whether Meta has the message; it is never sent again.'),
    skipped: integer('Nothing was sent, for the reasons in `skipped`.'),
    expired: integer('Not processed in time.'),
    canceled: integer('The broadcast was canceled before they were processed.'),
  },
)

const described = {
  id: broadcast_id,
  name,
  status: oneOf(broadcastStatuses, { description: 'What it is doing.' }),
  reason: nullable(
    oneOf([...holdReasons, ...pauseReasons], {
      description:
        'Why it is held or paused; null otherwise. A held broadcast resumes automatically and stays `running`: `messaging_limit`, `quota`, `quiet_hours`, `meta_unavailable`, `channel`, `template_paused`, `account_suspended`. A paused one waits for a person: all others.',
      examples: [null],
    }),
  ),
  hold: nullable(
    object(
      {
        reason: text('The reason.'),
        since: instant({ description: 'Since when.' }),
        until: nullable(instant({ description: 'When it is checked again.' })),
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
      'Recipients that were skipped, by reason: `opted_out`, `blocked`, `duplicate`, `erased`, or the error code that a send to them would get.',
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
        ends_at: instant({ description: 'When all recipients will be processed at this rate.' }),
      },
      { description: 'While it runs and is not held; null otherwise.', examples: [null] },
    ),
  ),
  cost: nullable(
    object(
      {
        amount: text('The amount.', { examples: ['475.8880'] }),
        currency: text('Its currency.', { examples: ['EUR'] }),
        priced: integer('Delivered messages with a price.', { examples: [9_712] }),
        unpriced: integer('Delivered messages for which no rate card has a rate.', { examples: [0] }),
      },
      {
        description:
          'What the delivered messages cost, by the rate cards of their days; null until one of them has a price.',
        examples: [null],
      },
    ),
  ),
  created_at: instant({ description: 'When it was created.' }),
  updated_at: instant({ description: 'When it was last changed.' }),
  start_at: nullable(instant({ description: 'When it is to start.', examples: [null] })),
  started_at: nullable(instant({ description: 'When it started.', examples: [null] })),
  expires_at: nullable(instant({ description: 'It sends nothing after this time.', examples: [null] })),
  ended_at: nullable(
    instant({ description: 'When every recipient had a result, or when it was canceled.', examples: [null] }),
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
