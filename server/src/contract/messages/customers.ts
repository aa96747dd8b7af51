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
import { exampleId as exampleMessageId, recipient, Window } from './message-fields.ts'

const address = 'Phone number with + and country code, or the user id of a customer who hides the number.'
const exampleId = 'cus_01jqzk3v8m4n2p6r9t0w5x7y1z'

export const CustomersQuery = object({
  address: Type.Optional(recipient(`Only the customer who has this address. ${address} Percent-encode the +.`)),
  limit: Type.Optional(integer('Customers per page.', { minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(text('`next_cursor` of the page before.', { minLength: 1, maxLength: 1_024 })),
})

export const CustomerPath = object({
  customer_id: text('Id of the customer, or an earlier id of a merged customer.', {
    minLength: 1,
    maxLength: 64,
    examples: [exampleId],
  }),
})

const listed = {
  customer_id: text('Id of the customer, which stays when their number or user id changes.', { examples: [exampleId] }),
  name: nullable(text('Name in their WhatsApp profile, if they have written.', { examples: ['Ana'] })),
  address: nullable(
    text('The address to send to: their current number, otherwise their user id.', { examples: ['+12025550100'] }),
  ),
  addresses: Type.Array(
    part('An address of the customer.', {
      address: text(address, { examples: ['+12025550100'] }),
      kind: oneOf(['phone_number', 'user_id', 'parent_user_id'], { description: 'What it is at WhatsApp.' }),
      current: boolean('False for one that the customer had before.', { examples: [true] }),
      since: instant({ description: 'When it was first seen as theirs.' }),
    }),
    { description: 'Every address the customer is known by.' },
  ),
  active_at: instant({
    description: 'When they last wrote, or were written to; the latter is noted once an hour.',
  }),
  created_at: instant({ description: 'When they were first seen.' }),
}

export const CustomerListItem = model('CustomerListItem', 'A customer in a list.', listed)

export const CustomerList = model('CustomerList', 'A page of customers.', {
  customers: Type.Array(ref(CustomerListItem), { description: 'The customers of this page.' }),
  pagination: ref(Pagination),
})

export const Customer = model('Customer', 'A customer, and what each of your numbers knows of them.', {
  ...listed,
  numbers: Type.Array(
    part('What one of your numbers knows of the customer.', {
      phone_number: nullable(
        text('Your number; null for one that is no longer known.', { examples: ['+15550100001'] }),
      ),
      last_inbound_at: nullable(instant({ description: 'When the customer last wrote to it.' })),
      window: Window,
      marketing: part('Whether the customer accepts marketing messages from it.', {
        state: oneOf(['opted_out', 'opted_in', 'unknown'], {
          description: 'What was said last.',
          examples: ['opted_in'],
        }),
        since: nullable(instant({ description: 'When it was said.' })),
        source: nullable(
          text('`whatsapp`, `keyword`, `console` or `api`: where it was said or recorded.', { examples: ['api'] }),
        ),
        recorded_by: nullable(
          text('Who recorded it; null when the customer said it.', { examples: ['Newsletter form'] }),
        ),
      }),
    }),
    { description: 'Numbers that the customer wrote to, or said something about.' },
  ),
  marketing_enforced: boolean('The gateway itself rejects marketing to customers who opted out.', { examples: [true] }),
  last_message: nullable(
    part('The newest message in either direction.', {
      message_id: text('Id of the message.', { examples: [exampleMessageId] }),
      direction: oneOf(['outbound', 'inbound'], { description: '`outbound` is sent by you.' }),
      type: text('Type of the message.', { examples: ['text'] }),
      status: text('Status of the message.', { examples: ['delivered'] }),
      created_at: instant({ description: 'When the gateway got it.' }),
    }),
  ),
})

export const CustomerRequest = named(
  'CustomerRequest',
  object(
    { address: recipient(address) },
    { description: 'A customer, who may be new.', examples: [{ address: '+12025550100' }] },
  ),
)

export const CustomerPreferenceRequest = named(
  'CustomerPreferenceRequest',
  object(
    {
      marketing: oneOf(['opted_in', 'opted_out'], {
        description: '`opted_in` records consent to marketing messages, `opted_out` withdraws it.',
        examples: ['opted_in'],
      }),
      from: optional(ownNumber('One of your numbers, or its id. Default: all of them.')),
    },
    { description: 'What the customer said about marketing messages.', examples: [{ marketing: 'opted_in' }] },
  ),
)
