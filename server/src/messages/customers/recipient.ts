import { addressKey } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import type { RowOf } from '../../store/engine/operation.ts'
import { type CallHandle, Unit } from '../../store/engine/unit.ts'
import { ensureAddress, ensureCustomer } from '../../store/messages/customers.ts'
import { findCustomerOfMessage, type insertMessage, type NewMessage } from '../../store/messages/messages.ts'

/** The customer id of a message that is addressed to a number or user id. */
export type Recipient = CallHandle<(typeof insertMessage)['returns']>

/**
 * The address whose rate limit counts for all addresses of a customer: the given one until this process knows who has it.
 */
export function customerInRates(rt: Runtime, accountId: string, address: string): string {
  const key = addressKey(address)
  return rt.knownRecipients.find(accountId, key) ?? key
}

/** Gives a new recipient a customer id, in the unit of the message, before it. */
export function addRecipient(rt: Runtime, unit: Unit, { account_id }: NewMessage, to: string): void {
  const address = addressKey(to)
  if (rt.knownRecipients.find(account_id, address) === null) addCustomer(rt, unit, account_id, to)
}

function addCustomer(rt: Runtime, unit: Unit, account_id: string, to: string): void {
  const address = addressKey(to)
  const now = rt.clock.now()
  const place = { account_id, address, shown: to, channel_id: null }
  const row = { ...place, customer_id: rt.newId('cus'), linked_at: now, replaced_at: null }
  unit.add(ensureAddress, row)
  unit.add(ensureCustomer, { account_id, address, now })
}

type Inserted = RowOf<(typeof insertMessage)['returns']>

/** A customer whom this process remembers may have been erased since: then the message begins a new one. */
export async function withCustomer(
  rt: Runtime,
  row: NewMessage,
  inserted: Inserted | null | undefined,
): Promise<NewMessage> {
  const address = row.customer_address ?? ''
  const customerId = inserted?.customer_id ?? (await begin(rt, row))
  if (customerId !== null) rt.knownRecipients.note(row.account_id, address, inserted?.first_address ?? address)
  return { ...row, customer_id: customerId }
}

async function begin(rt: Runtime, row: NewMessage): Promise<string | null> {
  const { id, account_id, customer_address: address, phone, user_id } = row
  const to = phone ?? user_id
  if (address === null || to === null) return null
  const unit = new Unit()
  addCustomer(rt, unit, account_id, to)
  const call = unit.add(findCustomerOfMessage, { id, account_id, address })
  return (await rt.store.write(unit)).first(call)?.customer_id ?? null
}
