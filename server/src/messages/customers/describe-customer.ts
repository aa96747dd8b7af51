import { formatInstant } from '../../lib/instant.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { contactsOf } from '../../store/messages/contacts.ts'
import type { CustomerRow, IdentityRow } from '../../store/messages/customers.ts'
import { describeWindow } from '../conversations/conversation-line.ts'
import { messagesOf } from '../conversations/messages-of.ts'
import { publicId } from '../message-record.ts'
import { readNumbers } from '../number-facts.ts'
import { preferenceOf } from '../receive-preferences.ts'
import { kindOf, shownAddress } from './identity.ts'

type Shown = { accountId: string; seesPeople: boolean }
type Customer = CustomerRow & { addresses: readonly IdentityRow[] }

/** In a list. Who sees no people gets no name, and addresses with their first and last digits. */
export function describeLine({ seesPeople }: Shown, { id, name, active_at, created_at, addresses }: Customer) {
  const shown = (address: string | null) => (address === null || seesPeople ? address : maskPhone(address))
  return {
    customer_id: id,
    name: seesPeople ? name : null,
    address: shown(shownAddress(addresses)),
    addresses: addresses.map(({ shown: address, linked_at, replaced_at }) => ({
      address: seesPeople ? address : maskPhone(address),
      kind: addressKinds[kindOf(address)],
      current: replaced_at === null,
      since: formatInstant(linked_at),
    })),
    active_at: formatInstant(active_at),
    created_at: formatInstant(created_at),
  }
}

const addressKinds = { phone: 'phone_number', user: 'user_id', parent: 'parent_user_id' } as const

/** Who a customer is to the account, and what each number of ours knows of them. */
export async function describeCustomer(rt: Runtime, reader: Shown, customer: Customer) {
  const { accountId, seesPeople } = reader
  const [contacts, numbers, [last]] = await Promise.all([
    rt.store.read(contactsOf, { account_id: accountId, customer_ids: [customer.id] }),
    readNumbers(rt, accountId),
    messagesOf(rt, accountId, customer.id, { after: null, count: 1 }),
  ])
  return {
    ...describeLine(reader, customer),
    numbers: contacts.map((contact) => {
      const number = numbers.get(contact.number_id)
      const { last_inbound_at: lastInboundAt } = contact
      const { state, at, source, by } = preferenceOf(contact)
      return {
        phone_number: number?.phoneNumber ?? null,
        last_inbound_at: formatInstant(lastInboundAt),
        window: describeWindow(rt, number, { lastInboundAt }),
        marketing: { state, since: formatInstant(at), source, recorded_by: by },
      }
    }),
    marketing_enforced: rt.config.marketingOptOut !== 'platform',
    last_message: last
      ? {
          message_id: seesPeople ? publicId(last) : last.id,
          direction: last.direction as 'outbound' | 'inbound',
          type: last.type,
          status: last.status,
          created_at: formatInstant(last.created_at),
        }
      : null,
  }
}
