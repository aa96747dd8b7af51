import { actorOf, type Member } from '../../access/console-member.ts'
import { formatInstant } from '../../lib/instant.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { customerWithId, findGiven } from '../customers/find-customer.ts'
import { kindOf } from '../customers/identity.ts'
import { messagesOf } from '../customers/list-customers.ts'
import { eraseCustomer } from '../erase/erase-customer.ts'
import { readNumbers } from '../number-facts.ts'
import { preferenceOf } from '../receive-preferences.ts'
import { describeWindow } from '../window.ts'
import { readContacts, requireCustomersShown } from './get-conversation.ts'

/** A customer: names, addresses, and the facts known to each of our numbers. */
export async function describeCustomer(rt: Runtime, member: Member, given: string) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const { id, address: customer, addresses } = await findGiven(rt, accountId, given)
  const [contacts, numbers, [message], known] = await Promise.all([
    readContacts(rt, accountId, id),
    readNumbers(rt, accountId),
    messagesOf(rt, accountId, id, { after: null, count: 1 }),
    id === null ? null : customerWithId(rt, accountId, id),
  ])
  const names = [known?.name ?? null, message?.customer_name ?? null].filter((name) => name !== null)
  const shown = addresses.length > 0 ? addresses.map((one) => one.shown) : [customer]
  return {
    customer_id: id,
    customer,
    names: [...new Set(names)],
    addresses: shown.map((address) => ({
      address,
      kind: kindOf(address) === 'phone' ? ('phone' as const) : ('user_id' as const),
    })),
    numbers: contacts.map((contact) => {
      const { number_id, last_inbound_at: lastInboundAt } = contact
      const { state, at } = preferenceOf(contact)
      return {
        phone_number: numbers.get(number_id)?.phoneNumber ?? null,
        last_inbound_at: formatInstant(lastInboundAt),
        window: describeWindow(rt, numbers.get(number_id), { lastInboundAt }),
        marketing: { state, since: formatInstant(at) },
      }
    }),
    marketing_enforced: rt.config.marketingOptOut !== 'platform',
    last_message_at: message ? formatInstant(message.created_at) : null,
  }
}

/** Erases the customer for good. The receipt says how many rows held them, for the customer who asked to be forgotten. */
export async function eraseForMember(rt: Runtime, member: Member, given: string) {
  const { address: customer } = await findGiven(rt, member.accountId, given)
  const { rows, callbacks_waiting, files_waiting, contact_book_failed } = await eraseCustomer(
    rt,
    member.accountId,
    customer,
    {
      actor: actorOf(member),
      context: member.context,
    },
  )
  return {
    customer: maskPhone(customer),
    erased_at: formatInstant(rt.clock.now()),
    erased_by: member.name,
    rows: Object.entries(rows).map(([table, count]) => ({ table, count })),
    callbacks_waiting,
    files_waiting,
    contact_book_failed,
  }
}
