import Type, { type Static } from 'typebox'
import { ErrorDetail } from '../envelope.ts'
import { MediaFile } from '../media.ts'
import { boolean, instant, integer, model, nullable, object, oneOf, part, ref, text } from '../schema.ts'
import { messageId, Window } from './message-fields.ts'

const used = Type.Optional(
  oneOf(['text', 'template'], {
    description: 'What was sent; only when the request had a `fallback`.',
  }),
)

const sent = oneOf(['sent', 'waiting'], {
  description:
    '`sent`: WhatsApp accepted the message. `waiting`, only with `queue` or `send_at`: it is stored and will be sent. Events report the outcome.',
})
const acceptedAt = instant({ description: 'When WhatsApp accepted the message, or the gateway stored it to wait.' })
const send_at = Type.Optional(instant({ description: 'For a waiting message: when it will be sent.' }))
const expires_at = Type.Optional(instant({ description: 'For a waiting message: it is not sent after this time.' }))

/** Tells the response of a send from that of a dry run, which has `true` here; the response of a send never has it. */
const dry_run = Type.Optional(
  Type.Literal(false, { description: 'Only the response of a dry run has this field, and there it is true.' }),
)

export const SentText = model('SentText', 'The text message that was sent.', {
  message_id: messageId,
  status: sent,
  dry_run,
  send_at,
  expires_at,
  used,
})
/** Null in an answer that is given again after the customer was erased. */
const recipientOfSend = () =>
  nullable(
    text('Phone number of the customer; null when the customer was erased meanwhile.', { examples: ['+12025550100'] }),
  )

export const SentTemplate = model('SentTemplate', 'The template message that was sent.', {
  message_id: messageId,
  to: recipientOfSend(),
  template: text('Name of the template.', { examples: ['order_confirmation'] }),
  status: sent,
  timestamp: acceptedAt,
  dry_run,
  send_at,
  expires_at,
})
export const SentOther = model('SentOther', 'The message that was sent.', {
  message_id: messageId,
  to: recipientOfSend(),
  type: text('Type of the message, as requested.', { examples: ['document'] }),
  status: sent,
  timestamp: acceptedAt,
  dry_run,
  send_at,
  expires_at,
})

export const DryRun = model('DryRun', 'The response with `dry_run=true`: what would happen. Nothing was sent.', {
  dry_run: Type.Literal(true, { description: 'Always true.' }),
  would_send: boolean('Whether the same request without `dry_run` would be sent now.'),
  type: nullable(text('Type of the message that would be sent.')),
  used: nullable(text('`text` or `template`, when the request has a `fallback`.')),
  window: nullable(Window),
  template: nullable(
    part('The template that would be sent.', {
      name: text('Name of the template.'),
      language: text('Language of the template.'),
      category: text('Category of the template, which sets its price.'),
    }),
  ),
  estimate: nullable(
    part(
      'What the message would cost today, at most; null without the scope `costs:read`, or when it would not be sent.',
      {
        currency: nullable(text('In which Meta bills the account.', { examples: ['EUR'] })),
        amount: nullable(text('Null when no rate card has a rate for it.', { examples: ['0.0356'] })),
        international_amount: nullable(
          text('Of authentication templates: the rate if Meta counts your business as foreign.', { examples: [null] }),
        ),
        category: text('Category that is charged; `service` for everything but templates.', { examples: ['utility'] }),
        basis: oneOf(['list_rate'], {
          description:
            '`list_rate`: the rate of the card, without volume discounts, and as if nothing were free. Meta may charge less.',
        }),
      },
    ),
  ),
  media: { ...nullable(ref(MediaFile)), description: 'The file that would be sent.' },
  content: nullable(
    Type.Record(Type.String(), Type.Unknown(), { description: 'The message as the customer would see it.' }),
  ),
  quota: nullable(
    part('What is left of the plan; null on a plan without limits.', {
      hour_remaining: integer('Requests left in this hour.'),
      day_remaining: integer('Requests left in this day.'),
    }),
  ),
  pace: nullable(
    part('Rate limit of your number; null when it is not known.', {
      sends_per_second: integer('Messages per second that Meta allows the number.'),
      wait_ms: integer('How long the message would wait now, in milliseconds.'),
    }),
  ),
  problems: Type.Array(
    object({
      code: text('Error code the send would be rejected with.'),
      message: text('What is wrong, in one sentence.'),
      details: Type.Array(ref(ErrorDetail), { description: 'The wrong fields.' }),
    }),
    { description: 'Why the message would not be sent; empty if it would be.' },
  ),
})
export type DryRun = Static<typeof DryRun>
