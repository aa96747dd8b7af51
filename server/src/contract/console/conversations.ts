import Type from 'typebox'
import { Pagination } from '../envelope.ts'
import { Assignee, Conversation as ConversationLine, LastMessage } from '../messages/conversations.ts'
import { boolean, instant, integer, namedObject, nullable, object, oneOf, part, ref, text } from '../schema.ts'
import { Failure } from './messages.ts'

const Customer = text('A phone number or a user id.', { minLength: 1, maxLength: 255 })
const Window = object({ state: oneOf(['open', 'closed', 'unknown']), expires_at: nullable(instant()) })
const Marketing = object({ state: oneOf(['opted_out', 'opted_in', 'unknown']), since: nullable(instant()) })

export const ConversationSearchQuery = object({
  search: text('Part of a name, number or message.', { minLength: 1, maxLength: 100 }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ maxLength: 1_024 })),
})

export const ConversationSearch = namedObject('ConsoleConversationSearch', {
  conversations: Type.Array(object({ ...ConversationLine.properties, found: nullable(LastMessage) })),
  address: nullable(text('The phone number that was searched for, if it is one.')),
  pagination: ref(Pagination),
})

export const InboxCounts = namedObject('ConsoleInboxCounts', {
  open: integer('Open conversations.'),
  unread: integer('Open conversations with unread messages.'),
  mine: integer('Open conversations of the signed-in person.'),
  unassigned: integer('Open conversations of nobody.'),
  waiting: integer('Customers without a reply.'),
  waiting_since: nullable(instant({ description: 'Since when the one who waits longest does.' })),
  counted_max: integer('A number as large as this means that there are at least so many.'),
})

export const PresenceSignal = namedObject('ConsolePresenceSignal', {
  customer: Customer,
  typing: boolean('They are writing a reply.'),
})

export const Presence = namedObject('ConsolePresence', {
  people: Type.Array(
    object({ user_id: Type.String(), name: Type.String(), typing: boolean('They are writing a reply.') }),
    { description: 'The other people who have the conversation open. They are gone 15 s after their last signal.' },
  ),
})

export const ConversationThreadQuery = object({
  customer: Customer,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 30 })),
  cursor: Type.Optional(text('For what was written before.', { maxLength: 1_024 })),
})

export const Conversation = namedObject('ConsoleConversation', {
  customer_id: nullable(Type.String()),
  customer: Type.String(),
  name: nullable(Type.String()),
  unread: Type.Integer(),
  state: oneOf(['open', 'closed']),
  assignee: nullable(ref(Assignee)),
  waiting_since: nullable(instant()),
  number: nullable(
    part('Replies are sent from it: the number they last wrote to, if it is still connected.', {
      id: Type.String(),
      phone_number: Type.String(),
      sandbox: Type.Boolean(),
    }),
  ),
  window: object({
    ...Window.properties,
    free_form: boolean('Anything but a template may be sent.'),
  }),
  control: part('Who replies in this conversation.', {
    owner: oneOf(['gateway', 'other', 'nobody']),
    role: nullable(Type.String()),
    since: nullable(instant()),
    shared: boolean('Another responder was seen in it.'),
    summary: nullable(text('What the previous responder wrote.')),
  }),
  marketing: Marketing,
  blocked_at: nullable(instant({ description: 'When they were blocked from here, if they still are.' })),
  messages: Type.Array(
    object({
      id: Type.String(),
      direction: oneOf(['outbound', 'inbound']),
      type: Type.String(),
      status: Type.String(),
      unresolved: boolean('Whether Meta has accepted the message is not known.'),
      template: nullable(Type.String()),
      reply_to: nullable(Type.String()),
      quoted: nullable(
        part('The message that it replies to, if it is kept.', {
          id: Type.String(),
          direction: oneOf(['outbound', 'inbound']),
          type: Type.String(),
          preview: nullable(Type.String()),
        }),
      ),
      in_group: boolean('Written in a group, not to the account alone.'),
      origin: nullable(text('How it came here, where not through this gateway.')),
      number: nullable(Type.String()),
      sent_by: nullable(text('The person who sent it from the console.')),
      key_name: nullable(text('The API key it was sent with.')),
      at: instant(),
      send_at: nullable(instant({ description: 'When a waiting message will be sent.' })),
      content: nullable(Type.Record(Type.String(), Type.Unknown())),
      failure: nullable(Failure),
    }),
  ),
  pagination: ref(Pagination),
})

export const CustomerQuery = object({ customer: Customer })
export const CustomerChoice = namedObject('ConsoleCustomerChoice', { customer: Customer })
export const MarkedConversation = namedObject('ConsoleMarkedConversation', {
  receipt: oneOf(['sent', 'refused', 'none'], { description: 'The outcome of the read receipt.' }),
})

export const CustomerDetail = namedObject('ConsoleCustomer', {
  customer_id: nullable(Type.String()),
  customer: Type.String(),
  names: Type.Array(Type.String()),
  addresses: Type.Array(object({ address: Type.String(), kind: oneOf(['phone', 'user_id']) })),
  numbers: Type.Array(
    object({
      phone_number: nullable(Type.String()),
      last_inbound_at: nullable(instant()),
      window: Window,
      marketing: Marketing,
    }),
  ),
  marketing_enforced: boolean('The gateway itself rejects marketing to customers who opted out.'),
  last_message_at: nullable(instant()),
})

export const PreferenceChoice = namedObject('ConsolePreferenceChoice', {
  customer: Customer,
  preference: oneOf(['opted_out', 'opted_in']),
})

export const ErasureReceipt = namedObject('ConsoleErasureReceipt', {
  customer: text('Masked.'),
  erased_at: instant(),
  erased_by: Type.String(),
  rows: Type.Array(object({ table: Type.String(), count: Type.Integer() })),
  callbacks_waiting: Type.Integer({
    description: 'Callbacks from Meta that name the customer and are not applied yet. Erase again after them.',
  }),
  contact_book_failed: Type.Array(Type.String(), {
    description: "User ids that Meta's contact book may still have. Erase again to retry.",
  }),
  files_waiting: Type.Integer({
    description: 'Deleted files of the account whose bytes could not be removed from their storage yet. Retried.',
  }),
})
