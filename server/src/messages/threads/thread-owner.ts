import type { Runtime } from '../../runtime.ts'
import { Unit } from '../../store/engine/unit.ts'
import { findThreads, noteOwner, noteStandby, ownedSince } from '../../store/messages/threads.ts'
import { customerAddresses, customerBy } from '../customers/find-customer.ts'
import { lastInbound, windowMs } from '../window.ts'

/**
 * Who replies in a conversation. No call asks Meta: it follows from what was reported. `nobody`: the customer has not
 * written for 24 hours, or the conversation was released, so that the next message decides.
 */
export type ThreadOwner = {
  owner: 'gateway' | 'other' | 'nobody'
  /** What Meta calls the one who replies, such as `ai_agent`; null where it did not say. */
  role: string | null
  since: number | null
  /** What the previous responder wrote for the next. */
  summary: string | null
  /** Another responder was seen in this conversation: it can be passed, released or taken. */
  shared: boolean
}

type Place = { id: string; accountId: string }

export async function findOwner(rt: Runtime, number: Place, customer: string): Promise<ThreadOwner> {
  const theirs = await customerBy(rt, number.accountId, customer)
  const addresses = [customer, ...(theirs?.addresses ?? []).map(({ shown }) => shown)]
  const rows = await rt.store.read(findThreads, { number_id: number.id, addresses })
  const [row] = rows.filter(({ owner }) => owner !== null).sort((a, b) => b.changed_at - a.changed_at)
  const { lastInboundAt } = await lastInbound(rt, number, customer)
  const isAwake = lastInboundAt !== null && rt.clock.now() < lastInboundAt + windowMs
  if (!row) {
    const owner = isAwake ? 'gateway' : 'nobody'
    return { owner, role: null, since: null, summary: null, shared: false }
  }
  const { role, summary, changed_at: since } = row
  const known = { summary, shared: true }
  const wanted = { account_id: number.accountId, number_id: number.id, customer_id: theirs?.id ?? '', since }
  const [own] = row.owner === 'gateway' ? [] : await rt.store.read(ownedSince, wanted)
  if (own?.at != null && rt.clock.now() < own.at + windowMs) {
    return { ...known, owner: 'gateway', role: null, since: own.at }
  }
  const isRecent = isAwake || rt.clock.now() < since + windowMs
  if (row.owner === 'idle' || !isRecent) return { ...known, owner: 'nobody', role: null, since: null }
  return { ...known, owner: row.owner === 'gateway' ? 'gateway' : 'other', role, since }
}

export type OwnerChange = {
  owner: 'gateway' | 'other' | 'idle'
  role: string | null
  summary?: string | null
  at: number
  /** Control was passed to us: the customer's messages from before it may never have reached us. */
  isPassed?: boolean
}

/** Under every address of the customer that is known here. */
export function addOwner(
  unit: Unit,
  { id, accountId }: Place,
  addresses: readonly string[],
  { change, now, note = noteOwner }: { change: OwnerChange; now: number; note?: typeof noteOwner },
): void {
  for (const address of addresses) {
    unit.add(note, {
      number_id: id,
      address,
      account_id: accountId,
      owner: change.owner,
      role: change.role,
      summary: change.summary ?? null,
      changed_at: change.at,
      passed_at: change.isPassed ? change.at : null,
      noted_at: now,
    })
  }
}

/** A copy of a message came: another responder replies in this conversation. */
export function addStandby(
  unit: Unit,
  { id, accountId }: Place,
  addresses: readonly string[],
  { at, now }: { at: number; now: number },
): void {
  for (const address of addresses) {
    unit.add(noteStandby, { number_id: id, address, account_id: accountId, changed_at: at, noted_at: now })
  }
}

/** Meta refused a message because another responder replies in this conversation. */
export async function noteOwnedElsewhere(rt: Runtime, number: Place, customer: string): Promise<void> {
  const addresses = await customerAddresses(rt, number.accountId, customer)
  const now = rt.clock.now()
  const unit = new Unit()
  addStandby(unit, number, addresses, { at: now, now })
  await rt.store.write(unit)
}
