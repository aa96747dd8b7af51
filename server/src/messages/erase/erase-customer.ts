import { setTimeout as pause } from 'node:timers/promises'
import { type Actor, type AuditContext, writeAudited } from '../../audit/audit.ts'
import { requireNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import { waitUntil } from '../../lib/async/with-timeout.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import { countWaitingRemovals } from '../../media/blobs/loose-blobs.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import { findUnappliedCallbacksNaming } from '../../store/messages/erasure.ts'
import { kindOf } from '../customers/identity.ts'
import { cancelAllTo } from '../waiting/end-waiting.ts'
import { type ErasedByAddress, eraseByAddress } from './erase-by-address.ts'
import { type ErasedByMessage, eraseByMessage } from './erase-by-message.ts'
import { asBytes, findPerson, needlesOf, type Person } from './find-person.ts'

export type Erasure = {
  /** Erased rows per table. */
  rows: ErasedByMessage & ErasedByAddress
  /** Callbacks that name the person and are not applied yet: they are back with these, and have to be erased again. */
  callbacks_waiting: number
  /** Files of the account that were let go and whose bytes are still where they were: the gateway goes on trying. */
  files_waiting: number
  /** User ids that Meta's contact book may still have: the calls to Meta failed. */
  contact_book_failed: string[]
}

/**
 * One customer, everywhere in an account, under every address they are known by: words, files, names and addresses go,
 * records and counts stay. Audited, and safe to repeat.
 */
export async function eraseCustomer(
  rt: Runtime,
  accountId: string,
  address: string,
  author: { actor: Actor; context?: AuditContext },
): Promise<Erasure> {
  const callbacks_waiting = await waitForCallbacks(rt, await findPerson(rt, accountId, address))
  const person = await findPerson(rt, accountId, address)
  await cancelAllTo(rt, accountId, person.customerIds)
  // While the ids are still known: what stops here is found again by the next run.
  const contact_book_failed = await clearContactBook(rt, person)
  const rows = { ...(await eraseByMessage(rt, person)), ...(await eraseByAddress(rt, person)) }
  const files_waiting = await countWaitingRemovals(rt, accountId)
  const targets = [{ type: 'customer', id: maskPhone(address), name: maskPhone(address) }]
  await writeAudited(
    rt,
    {
      ...author,
      accountId,
      action: 'customer.erased',
      targets,
      metadata: { ...rows, callbacks_waiting, files_waiting, contact_book_failed: contact_book_failed.length },
    },
    () => {},
  )
  await rt.store.dropRemains()
  return { rows, callbacks_waiting, files_waiting, contact_book_failed }
}

/** A gateway applies a callback within milliseconds; behind thousands of others it takes seconds. */
const waitMs = 5_000

/**
 * What the platform has told about a person and is not applied yet would bring them back after their erasure. Waits for
 * it, and resolves with how many callbacks are left: none, unless no gateway is running or one cannot be applied.
 */
async function waitForCallbacks(rt: Runtime, person: Person): Promise<number> {
  const signal = (listener: () => void) => rt.store.onCommit('messages', listener)
  const look = async () => ((await countWaiting(rt, person)) === 0 ? 0 : null)
  return (await waitUntil(signal, look, waitMs)) ?? countWaiting(rt, person)
}

async function countWaiting(rt: Runtime, person: Person): Promise<number> {
  const look = (address: string) =>
    rt.store.read(findUnappliedCallbacksNaming, { account_id: person.accountId, ...asBytes(needlesOf(address)) })
  const found = await Promise.all(person.addresses.map(look))
  return new Set(found.flat().map(({ id }) => id)).size
}

const triesMax = 3
const pauseMs = 500

/**
 * The platform keeps the number of each customer who hides it, by user id, for all numbers of a business. It forgets them one by
 * one, and never under a parent id. Resolves with the ids that it did not forget; a later run may name them again.
 */
export async function clearContactBook(rt: Runtime, { accountId, addresses }: Person): Promise<string[]> {
  const userIds = addresses.filter((address) => kindOf(address) === 'user')
  if (userIds.length === 0) return []
  const numbers = await rt.store.read(connectedNumbers, { account_id: accountId })
  // One number of each WhatsApp Business account: which of them belong to one business is not known here.
  const places = new Map(numbers.map(({ channel_id, id }) => [channel_id, id]))
  const failed = new Set<string>()
  for (const from of places.values()) {
    for (const userId of userIds) if (!(await forget(rt, { accountId, from, userId }))) failed.add(userId)
  }
  return [...failed]
}

type Entry = { accountId: string; from: string; userId: string }

async function forget(rt: Runtime, { accountId, from, userId }: Entry): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      const number = await requireNumber(rt, accountId, { from })
      await rt.platform.forgetContact(number.credentials, userId)
      return true
    } catch (error) {
      if (!(error instanceof PlatformError || error instanceof AppError)) throw error
      if (error instanceof AppError || !error.retryable || tries >= triesMax) return false
      await pause(pauseMs)
    }
  }
}
