import Type from 'typebox'
import { Pagination } from '../envelope.ts'
import { ownNumber } from '../profile.ts'
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
} from '../schema.ts'
import { exampleId as exampleMessageId, recipient, recipientPattern, Window } from './message-fields.ts'

const assigneeId = text('Id of a person of your team, from GET /v1/chat/assignees; `me` for the signed-in person.', {
  minLength: 1,
  maxLength: 64,
  examples: ['usr_01jqzk3v8m4n2p6r9t0w5x7y1z'],
})

export const ConversationsQuery = object({
  state: Type.Optional(oneOf(['open', 'closed'], { description: 'Default: open conversations.', default: 'open' })),
  assignee: Type.Optional(
    text('Only those of this person, by id; `me` for the signed-in person; `none` for those of nobody.', {
      minLength: 1,
      maxLength: 64,
    }),
  ),
  unread: Type.Optional(boolean('Only those with unread messages.')),
  window: Type.Optional(
    oneOf(['closing'], { description: '`closing`: only those whose 24-hour window closes within 4 hours.' }),
  ),
  order: Type.Optional(
    oneOf(['activity', 'waiting'], {
      description:
        '`activity`: the latest first. `waiting`: only customers without a reply, those who wait longest first.',
      default: 'activity',
    }),
  ),
  limit: Type.Optional(integer('Conversations per page.', { minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })),
})

export const Assignee = model('Assignee', 'A person of your team who can reply to customers.', {
  user_id: text('Id of the person.', { examples: ['usr_01jqzk3v8m4n2p6r9t0w5x7y1z'] }),
  name: text('Name of the person.', { examples: ['Bea'] }),
})

export const AssigneeList = model('AssigneeList', 'The people who can be assigned to a conversation.', {
  assignees: Type.Array(ref(Assignee), { description: 'Members whose role may reply to customers.' }),
})

export const LastMessage = part('The newest message in either direction.', {
  message_id: text('Id of the message.', { examples: [exampleMessageId] }),
  direction: oneOf(['outbound', 'inbound'], { description: '`outbound` is sent by you.' }),
  type: text('Type of the message.', { examples: ['text'] }),
  status: text('Status of the message.', { examples: ['received'] }),
  template: nullable(text('Name of the template, if it is one.', { examples: [null] })),
  preview: nullable(text('The beginning of its content.', { examples: ['Where is my order?'] })),
  error_code: nullable(text('Why it was not sent or delivered.', { examples: [null] })),
  created_at: instant({ description: 'When the gateway got it.' }),
})

export const Conversation = model('Conversation', 'The messages with a customer, and their assignee.', {
  customer_id: text('Id of the customer.', { examples: ['cus_01jqzk3v8m4n2p6r9t0w5x7y1z'] }),
  customer: text('The phone number or user id of the customer.', { examples: ['+12025550100'] }),
  name: nullable(text('Name in their WhatsApp profile, if they have written.', { examples: ['Ana'] })),
  phone_number: nullable(text('Your number that they wrote to last.', { examples: ['+15550100001'] })),
  state: oneOf(['open', 'closed'], { description: 'A new message of the customer opens a closed conversation.' }),
  assignee: nullable(part('Who replies to the customer; null: nobody in particular.', Assignee.properties)),
  assigned_at: nullable(instant({ description: 'Since when the assignee has it.' })),
  unread: integer('Messages that nobody has read.', { examples: [1] }),
  waiting_since: nullable(instant({ description: 'Time of the first message without a reply.' })),
  last_inbound_at: nullable(instant({ description: 'When the customer last wrote.' })),
  active_at: instant({ description: 'When the customer last wrote, or a person last replied.' }),
  closed_at: nullable(instant({ description: 'When it was closed.' })),
  window: Window,
  last_message: nullable(LastMessage),
})

export const ConversationList = model('ConversationList', 'A page of conversations.', {
  conversations: Type.Array(ref(Conversation), { description: 'The conversations of this page.' }),
  pagination: ref(Pagination),
})

export const AssigneeChange = named(
  'AssigneeChange',
  object(
    {
      assignee: nullable(assigneeId),
      if_assignee: Type.Optional(
        nullable(
          text('The current assignee, as you know it; null: nobody. The change is rejected if it is someone else.', {
            minLength: 1,
            maxLength: 64,
            examples: [null],
          }),
        ),
      ),
    },
    {
      description: 'Who replies to the customer.',
      examples: [{ assignee: 'usr_01jqzk3v8m4n2p6r9t0w5x7y1z', if_assignee: null }],
    },
  ),
)

export const savedRepliesMax = 200

export const SavedReplyPath = object({
  saved_reply_id: text('Id of the saved reply.', {
    minLength: 1,
    maxLength: 64,
    examples: ['rpl_01jqzk3v8m4n2p6r9t0w5x7y1z'],
  }),
})

const savedReply = {
  shortcut: text('The word that is typed after `/`: letters, digits, `-` and `_`.', {
    minLength: 1,
    maxLength: 32,
    pattern: '^[\\p{L}\\p{N}_-]+$',
    examples: ['hours'],
  }),
  text: text("The text. `{{name}}` becomes the customer's name.", {
    minLength: 1,
    maxLength: 4_096,
    pattern: '\\S',
    examples: ['Hello {{name}}, we are open from 9 to 6.'],
  }),
}

export const SavedReply = model('SavedReply', 'A text that agents use often.', {
  saved_reply_id: text('Id of the saved reply.', { examples: ['rpl_01jqzk3v8m4n2p6r9t0w5x7y1z'] }),
  ...savedReply,
  updated_at: instant({ description: 'When it was last changed.' }),
})

export const SavedReplyList = model('SavedReplyList', 'The saved replies of the account, by shortcut.', {
  saved_replies: Type.Array(ref(SavedReply), { description: 'At most 200.' }),
})

export const SavedReplyRequest = named(
  'SavedReplyRequest',
  object(savedReply, {
    description: 'A saved reply.',
    examples: [{ shortcut: 'hours', text: 'Hello {{name}}, we are open from 9 to 6.' }],
  }),
)

export const SavedReplyDeleted = model('SavedReplyDeleted', 'The deleted saved reply.', {
  saved_reply_id: text('Id of the saved reply.', { examples: ['rpl_01jqzk3v8m4n2p6r9t0w5x7y1z'] }),
  deleted: boolean('Always true.', { examples: [true] }),
})

const from =
  'The WhatsApp number that the conversation is with: one of your numbers, or its id. Default: your default number.'
const address = recipient('Phone number with + and country code, or the user id of a customer who hides the number.')
const customerId = text('Id of the customer. A phone number or user id is accepted too.', {
  ...address,
  pattern: `^cus_[0-9a-z]{1,60}$|${recipientPattern}`,
  examples: ['cus_01jqzk3v8m4n2p6r9t0w5x7y1z'],
})

export const ConversationPath = object({ customer_id: customerId })
export const ControlQuery = object({ from: Type.Optional(ownNumber(from)) })

export const ControlRequest = named(
  'ControlRequest',
  object(
    {
      from: optional(ownNumber(from)),
      action: oneOf(['pass', 'release', 'take'], {
        description:
          "`pass` gives the conversation to another responder, `release` lets Meta route the customer's next message. Only the escalation partner can use `take`.",
      }),
      role: optional(
        oneOf(['ai_agent', 'ctwa', 'customer_service', 'escalation', 'marketing', 'utility'], {
          description: 'Who gets the conversation with `pass`. Default: the escalation partner.',
        }),
      ),
      note: optional(text('For the next responder.', { minLength: 1, maxLength: 2_000 })),
    },
    {
      description: 'What to do with the conversation.',
      examples: [{ action: 'pass', role: 'customer_service', note: 'Wants to talk to a person.' }],
    },
  ),
)

export const ConversationControl = model(
  'ConversationControl',
  'Who replies in a conversation, as far as Meta has reported.',
  {
    customer_id: text('The customer, as given.', { examples: ['+12025550100'] }),
    phone_number: text('Your number.', { examples: ['+351210000000'] }),
    owner: oneOf(['gateway', 'other', 'nobody'], {
      description:
        '`gateway`: you. `other`: another responder; a free-form message is rejected with `thread_owned_elsewhere`, a template is not. `nobody`: the next message decides.',
      examples: ['gateway'],
    }),
    role: nullable(
      text('What Meta calls the other responder, such as `ai_agent`; null if it did not say.', { examples: [null] }),
    ),
    since: nullable(instant({ description: 'Since when, if known.' })),
    shared: boolean('Another responder was seen in this conversation.', { examples: [false] }),
    summary: nullable(text('What the previous responder wrote for you.', { examples: [null] })),
  },
)
