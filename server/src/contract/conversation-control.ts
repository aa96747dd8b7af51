import Type from 'typebox'
import { recipient, recipientPattern } from './messages/message-fields.ts'
import { ownNumber } from './profile.ts'
import { boolean, instant, model, named, nullable, object, oneOf, optional, text } from './schema.ts'

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
          "`pass` gives the conversation to another responder, `release` lets Meta route the customer's next message. `take` is for the escalation partner alone.",
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
  'Who replies in a conversation, as far as Meta has told.',
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
