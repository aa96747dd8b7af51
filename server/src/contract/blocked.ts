import Type from 'typebox'
import { Pagination } from './envelope.ts'
import { errorCodes } from './errors.ts'
import { recipient } from './messages/message-fields.ts'
import { ownNumber } from './profile.ts'
import { integer, model, named, nullable, object, oneOf, optional, part, ref, text } from './schema.ts'

const from = 'The WhatsApp number of the block list: one of your numbers, or its id. Default: your default number.'
const address = 'Phone number with + and country code, or the user id of a customer who hides the number.'
const phoneNumber = text('The WhatsApp number whose block list this is.', { examples: ['+351210000000'] })
const customer = text(address, { examples: ['+12025550100'] })

export const BlockedQuery = object({
  from: Type.Optional(ownNumber(from)),
  limit: Type.Optional(integer('Customers per page.', { minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })),
})

export const BlockedList = model('BlockedList', 'A page of the block list, as Meta has it at this moment.', {
  phone_number: phoneNumber,
  blocked: Type.Array(
    part('A blocked customer.', {
      customer,
      name: nullable(text('Name of the customer, if they have written to this account.', { examples: ['Ana'] })),
    }),
    { description: 'Blocked customers.' },
  ),
  pagination: ref(Pagination),
})

export const BlockRequest = named(
  'BlockRequest',
  object(
    {
      from: optional(ownNumber(from)),
      customers: Type.Array(recipient(address), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Customers to block: 1 to 1,000, each of whom wrote to the number in the last 24 hours.',
      }),
    },
    { description: 'Customers to block.', examples: [{ customers: ['+12025550100'] }] },
  ),
)

export const BlockResult = model('BlockResult', 'The customers that were blocked, and those that were not.', {
  phone_number: phoneNumber,
  blocked: Type.Array(customer, { description: 'Customers who are blocked now.', examples: [['+12025550100']] }),
  failed: Type.Array(
    part('A customer who could not be blocked.', {
      customer,
      code: oneOf(errorCodes, { description: 'Why, as a code of the error table.' }),
      message: text('Why, in one sentence.'),
    }),
    { description: 'Customers who could not be blocked; empty when all could.', examples: [[]] },
  ),
})

export const BlockedPath = object({ customer: recipient(`${address} Percent-encode the +.`) })
export const UnblockQuery = object({ from: Type.Optional(ownNumber(from)) })

export const Unblocked = model('UnblockedCustomer', 'The customer who was unblocked.', {
  phone_number: phoneNumber,
  customer,
  unblocked: Type.Literal(true, { description: 'Always true, also for a customer who was not blocked.' }),
})
