import { type Author, writeAudited } from '../../audit/audit.ts'
import type { ChannelNumber } from '../../channels/require-number.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { markBlocked } from '../../store/messages/contacts.ts'
import { customerAddresses } from '../linked-addresses.ts'

/** A line of the audit log names this many; its count tells of all. */
const targetsMax = 20

type Change = { action: 'customer.blocked' | 'customer.unblocked'; at: number | null; author: Author }

/** What the platform did is kept for the conversation, with the line that says who asked for it. */
export async function noteBlocked(
  rt: Runtime,
  { id, accountId, phoneNumber }: ChannelNumber,
  customers: readonly string[],
  { action, at, author: { actor, context } }: Change,
): Promise<void> {
  const known = await Promise.all(customers.map((customer) => customerAddresses(rt, accountId, customer)))
  const addresses = [...new Set(known.flat())]
  const targets = customers.slice(0, targetsMax).map((customer) => {
    const masked = maskPhone(customer)
    return { type: 'customer', id: masked, name: masked }
  })
  const metadata = { number: phoneNumber, customers: customers.length }
  await writeAudited(rt, { accountId, action, actor, context, targets, metadata }, (unit) => {
    for (const address of addresses)
      unit.add(markBlocked, { account_id: accountId, number_id: id, address, blocked_at: at })
  })
}

type Contact = { number_id: string; blocked_at: number | null; last_inbound_at: number | null }

/** Since when the customer is blocked at this number, as far as we did it; what they wrote later proves it gone. */
export function blockedSince(contacts: readonly Contact[], numberId: string): number | null {
  const own = contacts.filter(({ number_id }) => number_id === numberId)
  const since = Math.max(0, ...own.map(({ blocked_at }) => blocked_at ?? 0))
  const heard = Math.max(0, ...own.map(({ last_inbound_at }) => last_inbound_at ?? 0))
  return since > 0 && since >= heard ? since : null
}
