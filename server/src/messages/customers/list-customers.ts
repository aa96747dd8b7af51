import { AppError, validationFailed } from '../../contract/app-error.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { openCursor, type PageRequest, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { findAddressesOf, listCustomerRows } from '../../store/messages/customers.ts'
import { asCustomer } from './as-customer.ts'
import { describeCustomer, describeLine } from './describe-customer.ts'
import { customerBy, customerWithId } from './find-customer.ts'
import { kindOf } from './identity.ts'

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

/** Who has an address, from now on at the latest. */
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
