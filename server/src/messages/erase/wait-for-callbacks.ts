import { waitUntil } from '../../lib/async/with-timeout.ts'
import type { Runtime } from '../../runtime.ts'
import { findUnappliedCallbacksNaming } from '../../store/messages/erasure.ts'
import { asBytes, needlesOf, type Person } from './find-person.ts'

/** A gateway applies a callback within milliseconds; behind thousands of others it takes seconds. */
const waitMs = 5_000

/**
 * What the platform has told about a person and is not applied yet would bring them back after their erasure. Waits for
 * it, and resolves with how many callbacks are left: none, unless no gateway is running or one cannot be applied.
 */
export async function waitForCallbacks(rt: Runtime, person: Person): Promise<number> {
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
