import { actorOf, type Member } from '../../access/console-member.ts'
import { formatInstant } from '../../lib/instant.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { contactsOf } from '../../store/messages/conversations.ts'
import { eraseCustomer } from '../erase/erase-customer.ts'
import { customerAddresses } from '../linked-addresses.ts'
import { readNumbers } from '../number-facts.ts'
import { marketingPreference } from '../receive-preferences.ts'
import { describeWindow } from './conversation-line.ts'
import { requireCustomer } from './get-conversation.ts'
import { messagesOf } from './messages-of.ts'
import { requireCustomersShown } from './require-customers-shown.ts'

/** Who a customer is to the account: names, addresses, and what each number of ours knows. */
export async function describeCustomer(rt: Runtime, member: Member, given: string) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const customer = requireCustomer(given)
  const addresses = await customerAddresses(rt, accountId, customer)
  const [contacts, numbers, [message]] = await Promise.all([
    rt.store.read(contactsOf, { account_id: accountId, addresses }),
    readNumbers(rt, accountId),
    messagesOf(rt, accountId, addresses, { after: null, count: 1 }),
  ])
  const seen = new Set(contacts.map(({ address }) => address))
  const names = [...contacts.map(({ name }) => name), message?.customer_name ?? null].filter((name) => name !== null)
  const known = [...new Set(contacts.map(({ number_id }) => number_id))]
  return {
    customer,
    names: [...new Set(names)],
    addresses: addresses
      .filter((address) => address === customer || seen.has(address))
      .map((address) => ({ address, kind: address.startsWith('+') ? ('phone' as const) : ('user_id' as const) })),
    numbers: await Promise.all(
      known.map(async (id) => {
        const times = contacts.flatMap((row) => (row.number_id === id ? (row.last_inbound_at ?? []) : []))
        const lastInboundAt = times.length === 0 ? null : Math.max(...times)
        const { state, at } = await marketingPreference(rt, { id, accountId }, customer)
        return {
          phone_number: numbers.get(id)?.phoneNumber ?? null,
          last_inbound_at: formatInstant(lastInboundAt),
          window: describeWindow(rt, numbers.get(id), { lastInboundAt }),
          marketing: { state, since: formatInstant(at) },
        }
      }),
    ),
    marketing_enforced: rt.config.marketingOptOut !== 'platform',
    last_message_at: message ? formatInstant(message.created_at) : null,
  }
}

/** Erases the customer for good. The receipt says how many rows held them, for the customer who asked to be forgotten. */
export async function eraseForMember(rt: Runtime, member: Member, given: string) {
  const customer = requireCustomer(given)
  const { rows, callbacks_waiting, files_waiting } = await eraseCustomer(rt, member.accountId, customer, {
    actor: actorOf(member),
    context: member.context,
  })
  return {
    customer: maskPhone(customer),
    erased_at: formatInstant(rt.clock.now()),
    erased_by: member.name,
    rows: Object.entries(rows).map(([table, count]) => ({ table, count })),
    callbacks_waiting,
    files_waiting,
  }
}
