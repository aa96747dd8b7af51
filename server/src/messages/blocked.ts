import type { Caller } from '../access/caller.ts'
import { type Author, writeAudited } from '../audit/audit.ts'
import { askPlatform } from '../channels/ask-platform.ts'
import { type ChannelNumber, requireNumber } from '../channels/require-number.ts'
import { AppError, validationFailed } from '../contract/app-error.ts'
import { errorTable } from '../contract/errors.ts'
import { bodyProblem, type FieldProblem } from '../contract/schema.ts'
import { addressKey, parseRecipient } from '../lib/phone.ts'
import { maskPhone } from '../lib/text/mask.ts'
import { openCursor, type PageRequest } from '../paging.ts'
import type { BlockFailure } from '../platform/chat-platform.ts'
import type { Runtime } from '../runtime.ts'
import { markBlocked } from '../store/messages/contacts.ts'
import { findNames } from '../store/messages/customers.ts'
import { otherAddress } from './send/call-within-rate.ts'

type Blocker = Pick<Caller, 'accountId' | 'phoneNumberIds'>

/** Each customer stands alone. Where none can be blocked the call is refused, with the reason of the first. */
export async function blockCustomers(
  rt: Runtime,
  { accountId, phoneNumberIds }: Blocker,
  { from, customers: given }: { from: string | null; customers: readonly string[] },
  author: Author,
) {
  const customers = readCustomers(given)
  const number = await requireNumber(rt, accountId, { from, allowedIds: phoneNumberIds })
  const own = customers.indexOf(number.phoneNumber)
  if (own >= 0) {
    throw validationFailed([bodyProblem(`customers[${own}]`, 'invalid_value', 'A number cannot block itself.')])
  }
  // A number and its user id may both be given: Meta is asked once, and both are told about.
  const byAddress = new Map<string, string[]>()
  for (const customer of new Set(customers)) {
    const address = await reachableAddress(rt, number, customer)
    byAddress.set(address, [...(byAddress.get(address) ?? []), customer])
  }
  const ask = () => rt.platform.blockCustomers(number.credentials, [...byAddress.keys()])
  const { done, failed } = await askPlatform(rt, number, subject, ask)
  if (done.length === 0) throw nobodyBlocked(failed)
  const named = (address: string) => byAddress.get(address) ?? []
  const blocked = done.flatMap(named)
  await noteBlocked(rt, number, blocked, { action: 'customer.blocked', at: rt.clock.now(), author })
  return {
    phone_number: number.phoneNumber,
    blocked,
    failed: failed.flatMap(({ address, code }) =>
      named(address).map((customer) => ({ customer, code, message: errorTable[code].title })),
    ),
  }
}

function readCustomers(given: readonly string[]): string[] {
  const problems: FieldProblem[] = []
  const read = given.map((customer, index) => {
    const parsed = parseRecipient(customer)
    if (parsed.ok) return parsed.value
    problems.push(bodyProblem(`customers[${index}]`, parsed.code, parsed.message))
    return customer
  })
  if (problems.length > 0) throw validationFailed(problems)
  return read
}

function nobodyBlocked(failed: readonly BlockFailure[]): AppError {
  const { code, upstream } = failed[0] ?? { code: 'channel_rejected' as const, upstream: undefined }
  const detail = upstream?.code == null ? '' : ` (Meta code ${upstream.code})`
  const whom = failed.length > 1 ? 'No customer was blocked. ' : ''
  return new AppError(code, `${whom}${errorTable[code].title}${detail}`, upstream ? { upstream } : {})
}

/** Safe to repeat: the platform takes who is not blocked for unblocked. */
export async function unblockCustomer(
  rt: Runtime,
  { accountId, phoneNumberIds }: Pick<Caller, 'accountId' | 'phoneNumberIds'>,
  { from, customer: given }: { from: string | null; customer: string },
  author: Author,
) {
  const parsed = parseRecipient(given)
  if (!parsed.ok) {
    const { code, message } = parsed
    throw validationFailed([{ field: 'customer', location: 'path', code, message }])
  }
  const customer = parsed.value
  const number = await requireNumber(rt, accountId, { from, allowedIds: phoneNumberIds, location: 'query' })
  // Also as they were named: one who was blocked before their number was known is on the list by user id.
  const addresses = [...new Set([await reachableAddress(rt, number, customer), customer])]
  const ask = () => rt.platform.unblockCustomers(number.credentials, addresses)
  const { done, failed } = await askPlatform(rt, number, subject, ask)
  const [failure] = failed
  if (failure && done.length === 0) {
    throw new AppError(failure.code, 'Meta did not unblock the customer.', { upstream: failure.upstream })
  }
  await noteBlocked(rt, number, [customer], { action: 'customer.unblocked', at: null, author })
  return { phone_number: number.phoneNumber, customer, unblocked: true as const }
}

const subject = 'the block list'

/** A page of who is blocked, as the platform has it: it is the only place that knows all of them. */
export async function listBlocked(
  rt: Runtime,
  { accountId, phoneNumberIds, seesPeople }: Pick<Caller, 'accountId' | 'phoneNumberIds'> & { seesPeople: boolean },
  { from, limit, cursor }: PageRequest & { from: string | null },
) {
  const number = await requireNumber(rt, accountId, { from, allowedIds: phoneNumberIds, location: 'query' })
  const boundTo = ['blocked', accountId, { from: number.id }]
  const position = openCursor(rt, cursor, boundTo)
  const page = { limit, after: position === null ? null : String(position[0]) }
  const read = () => rt.platform.listBlocked(number.credentials, page)
  const { customers, after } = await askPlatform(rt, number, subject, read)
  const known = await rt.store.read(findNames, { account_id: accountId, addresses: customers.map(addressKey) })
  const names = new Map(known.map(({ address, name }) => [address, name]))
  return {
    phone_number: number.phoneNumber,
    blocked: customers.map((customer) =>
      seesPeople
        ? { customer, name: names.get(addressKey(customer)) ?? null }
        : { customer: maskPhone(customer), name: null },
    ),
    pagination: {
      limit,
      has_more: after !== null,
      next_cursor: after === null ? null : rt.cursors.seal([after], boundTo),
    },
  }
}

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
  const addresses = new Set(customers.map(addressKey))
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

/** The phone number of a customer where it is known: Meta's page of the block list speaks of phone numbers alone. */
async function reachableAddress(
  rt: Runtime,
  place: Pick<ChannelNumber, 'accountId' | 'channelId'>,
  customer: string,
): Promise<string> {
  if (customer.startsWith('+')) return customer
  return (await otherAddress(rt, place, { kind: 'user', value: customer }))?.value ?? customer
}
