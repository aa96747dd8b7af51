import { AppError, validationFailed } from '../../contract/app-error.ts'
import { formatInstant } from '../../lib/instant.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import { openCursor, type PageRequest, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import type { Position } from '../../store/engine/cursor.ts'
import { readList } from '../../store/engine/list.ts'
import { contactsOf } from '../../store/messages/contacts.ts'
import {
  type CustomerRow,
  findAddressesOf,
  type IdentityRow,
  listCustomerRows,
} from '../../store/messages/customers.ts'
import { messageListing } from '../../store/messages/message-list.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { publicId } from '../message-record.ts'
import { readNumbers } from '../number-facts.ts'
import { preferenceOf } from '../receive-preferences.ts'
import { describeWindow } from '../window.ts'
import { asCustomer } from './as-customer.ts'
import { customerBy, customerWithId } from './find-customer.ts'
import { kindOf, shownAddress } from './identity.ts'

type Shown = { accountId: string; seesPeople: boolean }
type Customer = CustomerRow & { addresses: readonly IdentityRow[] }

/** In a list. Who sees no people gets no name, and addresses with their first and last digits. */
function describeLine({ seesPeople }: Shown, { id, name, active_at, created_at, addresses }: Customer) {
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

/** A customer, and the facts known to each of our numbers. */
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

/** The newest messages of a customer, newest first. */
export async function messagesOf(
  rt: Runtime,
  accountId: string,
  customerId: string | null,
  stretch: { after: Position | null; count: number },
): Promise<MessageRow[]> {
  if (customerId === null) return []
  return (await readList(rt.store, accountId, messageListing(accountId, { customerId }, 'desc'), stretch)).rows
}

/** Whose customers, and whether names and addresses are shown. */
export type Reader = { accountId: string; seesPeople: boolean }

type Wanted = PageRequest & { address: string | null }

/** Customers with the newest activity first; or who has an address, alone on the page. */
export async function listCustomers(rt: Runtime, reader: Reader, { address, limit, cursor }: Wanted) {
  const { accountId } = reader
  if (address !== null) {
    const known = await customerBy(rt, accountId, requireAddress(address, 'query'))
    const found = known && (await customerWithId(rt, accountId, known.id))
    const pagination = { limit, has_more: false, next_cursor: null }
    return { customers: found ? [describeLine(reader, found)] : [], pagination }
  }
  const boundTo = ['customers', accountId]
  const [at, id] = openCursor(rt, cursor, boundTo) ?? [Number.MAX_SAFE_INTEGER, '']
  const position = { before_at: Number(at), before_id: String(id) }
  const rows = await rt.store.read(listCustomerRows, { account_id: accountId, ...position, count: limit + 1 })
  const positionOf = (row: (typeof rows)[number]) => [row.active_at, row.id]
  const timeOf = (row: (typeof rows)[number]) => row.active_at
  const { shown, pagination } = toPage(rt, { rows, edge: null }, { limit, boundTo, positionOf, timeOf })
  const customer_ids = shown.map((row) => row.id)
  const addresses = await rt.store.read(findAddressesOf, { account_id: accountId, customer_ids })
  const byCustomer = Map.groupBy(addresses, ({ customer_id }) => customer_id)
  const customers = shown.map((row) => describeLine(reader, { ...row, addresses: byCustomer.get(row.id) ?? [] }))
  return { customers, pagination }
}

export async function getCustomer(rt: Runtime, reader: Reader, id: string) {
  return describeCustomer(rt, reader, await requireCustomer(rt, reader.accountId, id))
}

export async function requireCustomer(rt: Runtime, accountId: string, id: string) {
  const customer = await customerWithId(rt, accountId, id)
  if (!customer) throw new AppError('customer_not_found', 'No customer has this id.')
  return customer
}

/** The customer with an address, created if it is new. */
export async function addCustomer(rt: Runtime, reader: Reader, given: string) {
  const { accountId } = reader
  const address = requireAddress(given, 'body')
  const known = await customerBy(rt, accountId, address)
  const own = kindOf(address) === 'phone' ? { phone: address, userId: null } : { phone: null, userId: address }
  const id =
    known?.id ??
    (await asCustomer(rt, accountId, { ...own, at: rt.clock.now() }, async (unit, customerId) => {
      await rt.store.write(unit)
      return customerId
    }))
  return getCustomer(rt, reader, id)
}

function requireAddress(given: string, location: 'query' | 'body'): string {
  const parsed = parseRecipient(given)
  if (parsed.ok) return parsed.value
  throw validationFailed([{ field: 'address', location, code: parsed.code, message: parsed.message }])
}
