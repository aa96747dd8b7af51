import Type from 'typebox'
import { boolean, instant, integer, namedObject, nullable, object, oneOf, optional, tagged, text } from '../schema.ts'

const NumberId = Type.String({ maxLength: 64 })
const Customer = text('The phone number of the simulated customer.', { maxLength: 64 })

export const SandboxLines = namedObject('ConsoleSandboxLines', {
  numbers: Type.Array(
    object({
      id: Type.String(),
      phone_number: Type.String(),
      name: nullable(Type.String()),
      default: Type.Boolean(),
    }),
  ),
  available: boolean('A sandbox runs beside this gateway; a number of it can be connected.'),
})

const fates = ['read', 'delivered', 'sent', 'unreachable', 'fails_after_sent', 'rate_limited', 'no_answer'] as const
const behaviour = {
  next: oneOf(fates, { description: 'What the next message will do; afterwards messages are read again.' }),
  delay_ms: integer('Between one status and the next.', { minimum: 0, maximum: 60_000 }),
  read_receipts: Type.Boolean(),
}

export const SandboxPhone = namedObject('ConsoleSandboxPhone', {
  number: object({ id: Type.String(), phone_number: Type.String(), name: nullable(Type.String()) }),
  customers: Type.Array(
    object({
      phone: Type.String(),
      name: nullable(Type.String()),
      last: nullable(object({ preview: Type.String(), at: instant() })),
    }),
  ),
  behaviour: object(behaviour),
})

export const SandboxPhoneQuery = object({ number_id: NumberId })
export const ConversationQuery = object({ number_id: NumberId, customer: Customer })
export const SandboxConversation = namedObject('ConsoleSandboxConversation', {
  phone: Type.String(),
  business: Type.String(),
  window: object({ state: oneOf(['open', 'closed', 'unknown']), expires_at: nullable(instant()) }),
  messages: Type.Array(
    object({
      id: Type.String(),
      direction: oneOf(['outbound', 'inbound']),
      type: Type.String(),
      status: Type.String(),
      code: nullable(Type.String()),
      template: nullable(Type.String()),
      reply_to: nullable(Type.String()),
      at: instant(),
      content: nullable(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  last_request: nullable(object({ path: Type.String(), body: Type.Record(Type.String(), Type.Unknown()) })),
})

const MessageId = Type.String({ maxLength: 255 })
const Label = Type.String({ minLength: 1, maxLength: 300 })
export const CustomerAct = tagged(
  'kind',
  object({ kind: Type.Literal('text'), text: Type.String({ minLength: 1, maxLength: 4_096 }) }),
  object({
    kind: Type.Literal('media'),
    type: oneOf(['image', 'document', 'audio', 'video', 'sticker']),
    caption: optional(Type.String({ maxLength: 1_024 })),
    filename: optional(Type.String({ maxLength: 240 })),
    mime_type: optional(Type.String({ maxLength: 100 })),
    data_base64: optional(text('A tiny sample without it.', { maxLength: 250_000 })),
  }),
  object({ kind: Type.Literal('button'), id: Label, title: Label, message_id: MessageId }),
  object({ kind: Type.Literal('list'), id: Label, title: Label, message_id: MessageId }),
  object({ kind: Type.Literal('quick_reply'), payload: Label, title: Label, message_id: MessageId }),
  object({ kind: Type.Literal('location'), latitude: Type.Number(), longitude: Type.Number(), message_id: MessageId }),
  object({
    kind: Type.Literal('form'),
    name: oneOf(['flow', 'address_message'], {
      description: 'What was filled in: a Flow, or the form for an address.',
    }),
    answers: Type.Record(Type.String(), Type.Unknown()),
    message_id: MessageId,
  }),
  object({
    kind: Type.Literal('order'),
    catalog_id: Label,
    product_ids: Type.Array(Label, { minItems: 1, maxItems: 30, description: 'One piece of each.' }),
    message_id: MessageId,
  }),
  object({ kind: Type.Literal('call_permission'), granted: Type.Boolean(), message_id: MessageId }),
  object({ kind: Type.Literal('contact_info'), message_id: MessageId }),
  object({
    kind: Type.Literal('payment_method'),
    reference_id: text('Of the order that is paid with a saved card.', { minLength: 1, maxLength: 35 }),
    message_id: MessageId,
  }),
)

export const SandboxAct = namedObject('ConsoleSandboxAct', {
  number_id: NumberId,
  customer: Customer,
  act: CustomerAct,
})
export const SandboxActed = namedObject('ConsoleSandboxActed', { message_id: Type.String() })
export const SandboxNewCustomer = namedObject('ConsoleSandboxNewCustomer', {
  number_id: NumberId,
  customer: Customer,
  name: Type.String({ minLength: 1, maxLength: 80 }),
})
export const SandboxWindow = namedObject('ConsoleSandboxWindow', {
  number_id: NumberId,
  customer: Customer,
  state: oneOf(['open', 'closed']),
})
export const SandboxBehaviour = namedObject('ConsoleSandboxBehaviour', { number_id: NumberId, ...behaviour })
