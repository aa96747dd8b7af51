import { setTimeout as pause } from 'node:timers/promises'
import { heldBackMs } from '../../access/request-log.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { eraseRecipient, findRecipientsAt, insertSkip } from '../../store/broadcasts/recipients.ts'
import type { Shape } from '../../store/engine/operation.ts'
import { Unit, unitOf } from '../../store/engine/unit.ts'
import {
  eraseAddresses,
  eraseAttempt,
  eraseCallbackItem,
  eraseContacts,
  eraseConversation,
  eraseCustomers,
  eraseEvent,
  eraseRateKey,
  eraseRelayItem,
  eraseRequest,
  findAttemptsOf,
  findCallbackItemsNaming,
  findEventsOf,
  findRelayAttempts,
  findRelayItemsNaming,
  findRequestsNaming,
  findWholeRequests,
} from '../../store/messages/erasure.ts'
import { eraseThreads } from '../../store/messages/threads.ts'
import { customerSubject } from '../customers/find-customer.ts'
import { readNumbers } from '../number-facts.ts'
import { erasedEvent, erasureIn } from './erase-by-message.ts'
import { needlesOf, type Person } from './find-person.ts'

export type ErasedByAddress = {
  callback_items: number
  relay_items: number
  request_log: number
  pacing: number
  customer_events: number
  broadcast_recipients: number
  threads: number
  customer_addresses: number
  contacts: number
  conversations: number
  customers: number
}

const batch = 500

/** Rows that name a person without a message. Contacts are deleted last, so that a second run still finds every address. */
export async function eraseByAddress(rt: Runtime, person: Person): Promise<ErasedByAddress> {
  const callback_items = await eraseCallbackItems(rt, person)
  const relay_items = await eraseRelayItems(rt, person)
  const request_log = await eraseRequests(rt, person)
  const pacing = await eraseRateKeys(rt, person)
  const customer_events = await eraseCustomerEvents(rt, person)
  const broadcast_recipients = await eraseBroadcastRecipients(rt, person)
  const found = { callback_items, relay_items, request_log, pacing, customer_events, broadcast_recipients }
  return { ...found, ...(await eraseContactRows(rt, person)) }
}

async function eraseCallbackItems(rt: Runtime, person: Person): Promise<number> {
  const find = (address: string) =>
    rt.store.read(findCallbackItemsNaming, { account_id: person.accountId, ...needlesOf(address), count: batch })
  return untilNone(person.addresses, find, async (rows) => {
    await rt.store.write(unitOf(eraseCallbackItem, ...rows))
  })
}

/** With what tools replied to it: some send back what they were told. */
async function eraseRelayItems(rt: Runtime, person: Person): Promise<number> {
  const find = (address: string) =>
    rt.store.read(findRelayItemsNaming, { account_id: person.accountId, ...needlesOf(address), count: batch })
  return untilNone(person.addresses, find, async (rows) => {
    const attempts = await rt.store.read(findRelayAttempts, { item_ids: rows.map(({ id }) => id) })
    const unit = new Unit()
    unit.add(eraseRelayItem, ...rows)
    if (attempts.length > 0) unit.add(eraseAttempt, ...attempts)
    await rt.store.write(unit)
  })
}

/**
 * The log masks numbers, so a row may be of a person with the same first and last digits: it loses its body too. What
 * the sandbox kept whole may be about a person without naming them, as the upload of their file is: all of that goes,
 * uncounted. Rows of calls that ended a moment ago may still be held back, here or by another node.
 */
async function eraseRequests(rt: Runtime, person: Person): Promise<number> {
  await pause(heldBackMs)
  const page = { account_id: person.accountId, count: batch }
  const empty = async (rows: readonly { id: string }[]) => {
    await rt.store.write(unitOf(eraseRequest, ...rows))
  }
  const find = (address: string) =>
    rt.store.read(findRequestsNaming, { ...page, ...needlesOf(address), masked: `%${maskPhone(address)}%` })
  const erased = await untilNone(person.addresses, find, empty)
  const until = rt.clock.now()
  await untilNone([''], () => rt.store.read(findWholeRequests, { ...page, until }), empty)
  return erased
}

async function eraseRateKeys(rt: Runtime, { accountId, customerIds, addresses }: Person): Promise<number> {
  const numbers = [...(await readNumbers(rt, accountId)).keys()]
  const names = [...customerIds, ...addresses]
  const keys = numbers.flatMap((number) => names.map((name) => ({ slot_key: `${number} ${name}` })))
  if (keys.length === 0) return 0
  const unit = new Unit()
  const call = unit.add(eraseRateKey, ...keys)
  return (await rt.store.write(unit)).rows(call).length
}

/** Events about the customer and no message, with what receivers answered to them. */
async function eraseCustomerEvents(rt: Runtime, person: Person): Promise<number> {
  const { accountId: account_id, customerIds, addresses } = person
  const subjects = [...customerIds, ...addresses.map((address) => customerSubject(rt, account_id, address))]
  const erasure = await erasureIn(rt, account_id)
  const events = await rt.store.read(findEventsOf, { account_id, subjects })
  const changed = events.flatMap((event) => erasedEvent(event, event.subject, erasure) ?? [])
  if (changed.length === 0) return 0
  const event_ids = changed.map(({ id }) => id)
  const attempts = await rt.store.read(findAttemptsOf, { account_id, event_ids })
  const unit = new Unit()
  unit.add(eraseEvent, ...changed)
  if (attempts.length > 0) unit.add(eraseAttempt, ...attempts)
  await rt.store.write(unit)
  return changed.length
}

/** Their turn passes without a message, and says so. */
async function eraseBroadcastRecipients(rt: Runtime, { accountId: account_id, addresses }: Person): Promise<number> {
  const rows = await rt.store.read(findRecipientsAt, { account_id, addresses })
  if (rows.length === 0) return 0
  const unit = new Unit()
  unit.add(eraseRecipient, ...rows)
  unit.add(insertSkip, ...rows.map((row) => ({ ...row, reason: 'erased' })))
  await rt.store.write(unit)
  return rows.length
}

async function eraseContactRows(rt: Runtime, { accountId: account_id, customerIds, addresses }: Person) {
  const unit = new Unit()
  const calls = customerIds.map((id) => ({
    addresses: unit.add(eraseAddresses, { id }),
    contacts: unit.add(eraseContacts, { id }),
    conversations: unit.add(eraseConversation, { id }),
    customers: unit.add(eraseCustomers, { id }),
  }))
  const threads = addresses.map((address) => unit.add(eraseThreads, { account_id, address }))
  const result = await rt.store.write(unit)
  const count = (name: keyof (typeof calls)[number]) =>
    calls.reduce((sum, call) => sum + result.rows<Shape>(call[name]).length, 0)
  return {
    threads: threads.reduce((sum, call) => sum + result.rows(call).length, 0),
    customer_addresses: count('addresses'),
    contacts: count('contacts'),
    conversations: count('conversations'),
    customers: count('customers'),
  }
}

/** Finds and erases in turn, for each address, until nothing is found any more. */
async function untilNone<Row>(
  addresses: readonly string[],
  find: (address: string) => Promise<Row[]>,
  erase: (rows: Row[]) => Promise<void>,
): Promise<number> {
  let erased = 0
  for (const address of addresses) {
    for (let rows = await find(address); rows.length > 0; rows = await find(address)) {
      await erase(rows)
      erased += rows.length
    }
  }
  return erased
}
