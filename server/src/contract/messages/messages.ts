import Type from 'typebox'
import { Pagination, Upstream } from '../envelope.ts'
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
import { exampleId, messageId, moment, recipient, Window } from './message-fields.ts'

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
  customer_id: nullable(
    text('Id of the customer, whichever address they use; null when they were erased.', {
      examples: ['cus_01jqzk3v8m4n2p6r9t0w5x7y1z'],
    }),
  ),
  status: text(
    '`waiting`, `queued`, `sent`, `delivered`, `read`, `failed` or `canceled`; `received` for inbound messages.',
    { examples: ['delivered'] },
  ),
  outcome: nullable(
    text('`unknown` while it is not known whether Meta has the message; null otherwise.', { examples: [null] }),
  ),
  template: nullable(text('Name of the template of a template message.', { examples: [null] })),
  language: nullable(text('Language of the template.', { examples: [null] })),
  client_reference: nullable(text('Your reference, as given with the send.', { examples: ['A-1001'] })),
  reply_to: nullable(text('Id of the message this one quotes.', { examples: [null] })),
  group_id: nullable(text('Id of the group the customer wrote in; you cannot send to groups.', { examples: [null] })),
  held: boolean('Meta holds the message back while it checks the quality of the template.', { examples: [false] }),
  used: nullable(text('`text` or `template`: what was sent of a request with a `fallback`.', { examples: [null] })),
  origin: nullable(
    oneOf(['standby', 'other_responder', 'business_app', 'history'], {
      description:
        'How the message came here, if you neither sent it through this gateway nor received it to reply to. `standby`: the customer wrote while another responder handled the conversation. `other_responder`, `business_app`: your business sent it, through another responder or in the WhatsApp Business app. `history`: from before the number was connected. Null for all others.',
      examples: [null],
    }),
  ),
  created_at: instant({ description: 'When the gateway got the message.' }),
  sent_at: nullable(instant({ description: 'When WhatsApp accepted it.' })),
  delivered_at: nullable(instant({ description: 'When it reached the phone of the customer.' })),
  read_at: nullable(instant({ description: 'When the customer opened it.', examples: [null] })),
  failed_at: nullable(instant({ description: 'When it failed.', examples: [null] })),
  send_at: nullable(instant({ description: 'Scheduled time of a queued or scheduled message.', examples: [null] })),
  expires_at: nullable(instant({ description: 'A waiting message is not sent after this time.', examples: [null] })),
  next_attempt_at: nullable(instant({ description: 'When a waiting message is checked next.', examples: [null] })),
  attempts: integer('How often Meta was called for a queued or scheduled message; 0 for all others.', {
    examples: [0],
  }),
  waiting_for: nullable(
    oneOf(['time', 'rate', 'meta', 'channel', 'template', 'account', 'person', 'broadcast', 'budget'], {
      description:
        'Why a message waits. `time`: for its `send_at`. `rate`: for the rate limit of your number or of the customer. `meta`: Meta did not accept it; it was not sent. `channel`: the number or its token does not work. `template`: the template is paused or not approved yet. `account`: the account is suspended. `person`: until the operator releases it, because its API key can no longer send or the data was restored. `broadcast`: until its broadcast is resumed. `budget`: its budget is used up.',
      examples: [null],
    }),
  ),
  error: nullable(
    object(
      {
        code: text('Error code; the errors page explains it.'),
        message: text('What happened, in one sentence.'),
        retryable: boolean('Whether the same message can succeed later.'),
        upstream: nullable(Upstream),
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
  broadcast_id: nullable(text('Id of the broadcast that sent it.', { examples: [null] })),
  content_purged_at: nullable(
    instant({ description: 'When the content was erased; the rest of the record stays.', examples: [null] }),
  ),
}

export const MessageListItem = model('MessageListItem', 'A message without its content and history.', listed)
export const Message = model('Message', 'A message with all its details.', {
  ...listed,
  content: nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Content of the message; the fields depend on `type`. Inbound messages can also have `referral`, `referred_product`, `forwarded` and `username`. Null when it was erased.',
      examples: [{ text: 'Your order A-1001 is on its way.' }],
    }),
  ),
  history: Type.Array(
    object({
      status: text('The status the message got.', { examples: ['delivered'] }),
      at: instant({ description: 'When it happened, by the clock of the source.' }),
      recorded_at: instant({ description: 'When the gateway recorded it.' }),
      source: oneOf(['gateway', 'channel'], {
        description:
          '`gateway`: recorded while the message was sent, from the response of Meta. `channel`: reported by Meta later.',
        examples: ['channel'],
      }),
      inferred: boolean('True when WhatsApp did not report it, but a later status implies it.', {
        examples: [false],
      }),
    }),
    { description: 'Every status the message had, in order.' },
  ),
  price: nullable(
    object(
      {
        category: text('Pricing category.', { examples: ['utility'] }),
        type: nullable(text('As Meta names it, such as `regular`.', { examples: ['regular'] })),
        free: boolean('Whether Meta says that it charges nothing.', { examples: [false] }),
        day: text('The day on which it arrived, in the time zone of your WhatsApp Business account.', {
          examples: ['2026-11-15'],
        }),
        currency: nullable(text('In which Meta bills the account.', { examples: ['EUR'] })),
        amount: nullable(
          text('By the rate card of the day; null without a rate, and for keys without `costs:read`.', {
            examples: ['0.0356'],
          }),
        ),
      },
      { description: 'What Meta charges for the message; null until Meta reports it, with the delivery.' },
    ),
  ),
  window: Window,
  marketing: part('Whether the customer accepts marketing messages from this number, if they told WhatsApp.', {
    state: oneOf(['opted_out', 'opted_in', 'unknown'], {
      description: 'What the customer chose.',
      examples: ['unknown'],
    }),
    since: nullable(instant({ description: 'When the customer chose it.', examples: [null] })),
  }),
})
export const MessageList = model('MessageList', 'A page of messages.', {
  messages: Type.Array(ref(MessageListItem), { description: 'The messages of this page.' }),
  pagination: ref(Pagination),
})

export const MarkedRead = model('MarkedRead', 'The message that was marked as read.', {
  message_id: messageId,
  status: oneOf(['read'], { description: 'Always `read`.' }),
})
export const CanceledMessage = model('CanceledMessage', 'The message that was canceled.', {
  message_id: messageId,
  status: oneOf(['canceled'], { description: 'Always `canceled`.' }),
  canceled_at: instant({ description: 'When it was canceled.' }),
})
export const CancelMessages = named(
  'CancelMessages',
  object(
    {
      client_reference: text('Your reference, as given with the sends.', { minLength: 1, maxLength: 128 }),
    },
    { description: 'Which messages to cancel.', examples: [{ client_reference: 'visit-77' }] },
  ),
)
export const CanceledMessages = model('CanceledMessages', 'What was canceled.', {
  canceled: integer('How many messages were canceled. Those that were no longer waiting are not counted.', {
    examples: [3],
  }),
})
export const MarkRead = named(
  'MarkRead',
  object(
    { typing: optional(boolean('Also show the customer that you are typing. Default: false.')) },
    { description: 'May be empty.', examples: [{ typing: true }] },
  ),
)

const statuses = ['waiting', 'queued', 'sent', 'delivered', 'read', 'failed', 'canceled', 'received']

export const MessageQuery = object({
  limit: Type.Optional(integer('Messages per page.', { minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })),
  direction: Type.Optional(
    oneOf(['outbound', 'inbound'], { description: 'Only messages you sent, or only those from customers.' }),
  ),
  status: Type.Optional(
    text(
      `One or several of ${statuses.join(', ')}; comma separated. With \`waiting\` alone: the next to be sent first.`,
      {
        maxLength: 200,
        pattern: `^(?:${statuses.join('|')})(?:,(?:${statuses.join('|')}))*$`,
        ...withHint('invalid_value', `Use one or several of: ${statuses.join(', ')}.`),
      },
    ),
  ),
  type: Type.Optional(text('Only messages of this type, for example `text`.', { maxLength: 32 })),
  phone_number: Type.Optional(
    recipient('Only messages with this customer: the phone number, or the WhatsApp user id.'),
  ),
  template: Type.Optional(text('Only messages of this template.', { maxLength: 512 })),
  client_reference: Type.Optional(text('Only messages with exactly this reference.', { maxLength: 128 })),
  api_key_id: Type.Optional(text('Only messages sent with this API key; its id.', { maxLength: 64 })),
  outcome: Type.Optional(
    oneOf(['unknown'], { description: 'Only messages for which it is not known whether Meta accepted them.' }),
  ),
  since: Type.Optional(moment('Only messages created at or after this date or date-time.')),
  until: Type.Optional(moment('Only messages created before this date or date-time.')),
  order: Type.Optional(
    oneOf(['desc', 'asc'], {
      description: 'Newest or oldest first. Default: `desc`; `asc` with the status `waiting` alone.',
    }),
  ),
})

/** The ids of WhatsApp may contain slashes, so the id is the rest of the path. */
export const MessagePath = Type.Object({
  '*': text('Id of the message.', { minLength: 1, examples: [exampleId] }),
})
