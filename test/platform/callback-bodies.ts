import type { CallbackItem, InboundItem } from '../../server/src/platform/callback-item.ts'
import { parseCallback } from '../../server/src/platform/cloud/callbacks/cloud-callbacks.ts'

/** A customer, as a contact of a callback. */
export const ann = { profile: { name: 'Ann', username: 'ann' }, wa_id: '15550001111', user_id: 'US.1349' }

/** A callback as Meta writes it, of one entry. */
export function body(...changes: unknown[]): string {
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '9001', time: 1739321024, changes }],
  })
}

export function messages(value: object): object {
  const metadata = { display_phone_number: '15550783881', phone_number_id: '1065' }
  return { field: 'messages', value: { messaging_product: 'whatsapp', metadata, contacts: [ann], ...value } }
}

export function only(text: string): CallbackItem {
  const items = parseCallback(text)
  const [item] = items
  if (!item || items.length !== 1) throw new Error(`One item was expected, not ${items.length}.`)
  return item
}

export function inbound(message: object): InboundItem {
  const base = { from: '15550001111', from_user_id: 'US.1349', id: 'wamid.IN', timestamp: '1750030073' }
  const item = only(body(messages({ messages: [{ ...base, ...message }] })))
  if (item.kind !== 'message') throw new Error(`A message was expected, not ${item.kind}.`)
  return item
}
