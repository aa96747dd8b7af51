import type { Customer } from '../platform/callback-item.ts'
import type { Unit } from '../store/engine/unit.ts'
import { noteAlias, noteInbound, noteInboundByNumber } from '../store/messages/contacts.ts'

export type ContactPlace = { numberId: string; accountId: string }

/** One row per way the customer can be addressed; a late callback never closes a window that is open. */
export function noteContact(
  unit: Unit,
  { numberId, accountId }: ContactPlace,
  { phone, userId, name }: Customer & { name: string | null },
  { at, unread }: { at: number; unread: number },
): void {
  for (const address of [phone, userId]) {
    if (address === null) continue
    unit.add(noteInbound, {
      number_id: numberId,
      address,
      account_id: accountId,
      phone,
      user_id: userId,
      name,
      last_inbound_at: at,
      // Counted once: a customer with both is listed by the number.
      unread: address === (phone ?? userId) ? unread : 0,
    })
  }
  if (phone !== null || userId === null) return
  const place = { number_id: numberId, address: userId, account_id: accountId }
  unit.add(noteInboundByNumber, { ...place, name, last_inbound_at: at, unread })
}

/** The customer has another number or user id than before: a number is followed by a number where there is one. */
export function noteFormerAddresses(
  unit: Unit,
  { numberId, accountId }: ContactPlace,
  { phone, userId }: Customer,
  { former, at }: { former: readonly string[]; at: number },
): void {
  for (const address of former) {
    const alias = address.startsWith('+') ? (phone ?? userId) : (userId ?? phone)
    if (alias === null) continue
    unit.add(noteAlias, { number_id: numberId, address, alias, account_id: accountId, noted_at: at })
  }
}
