import type { Static } from 'typebox'
import type { Caller } from '../../access/caller.ts'
import { type Author, writeAudited } from '../../audit/audit.ts'
import { askPlatform } from '../../channels/ask-platform.ts'
import { type ChannelNumber, requireNumber } from '../../channels/require-number.ts'
import { AppError, validationFailed } from '../../contract/app-error.ts'
import type { ControlRequest } from '../../contract/messages/conversations.ts'
import { bodyProblem } from '../../contract/schema.ts'
import { formatInstant } from '../../lib/instant.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import { PlatformError } from '../../platform/platform-error.ts'
import type { Runtime } from '../../runtime.ts'
import { Unit } from '../../store/engine/unit.ts'
import { findThreads, noteOwner, noteStandby, ownedSince } from '../../store/messages/threads.ts'
import { customerAddresses, customerBy, findGiven } from '../customers/find-customer.ts'
import { lastInbound, windowMs } from '../window.ts'

/**
 * The owner of a conversation. Meta has no call for it: it is derived from Meta's reports. `nobody`: the customer has not
 * written for 24 hours, or the conversation was released, so that the next message decides.
 */
export type ThreadOwner = {
  owner: 'gateway' | 'other' | 'nobody'
  /** Meta's name for the responder, such as `ai_agent`; null if it reported none. */
  role: string | null
  since: number | null
  /** The previous responder's note for the next. */
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

type Asker = Pick<Caller, 'accountId' | 'phoneNumberIds'> & { seesPeople: boolean }
type Wanted = { customerId: string; from: string | null }

export async function getControl(rt: Runtime, asker: Asker, { customerId, from }: Wanted) {
  const { accountId, phoneNumberIds: allowedIds } = asker
  const customer = await addressOf(rt, accountId, customerId)
  const number = await requireNumber(rt, accountId, { from, allowedIds, location: 'query' })
  return describeControl(rt, asker, number, { customer, given: customerId })
}

/**
 * Asks Meta once. What became of it is noted, unless the answer was lost: then nobody knows, and nothing is tried again.
 */
export async function controlThread(
  rt: Runtime,
  asker: Asker,
  { customerId, action, role = null, note = null, from = null }: Static<typeof ControlRequest> & { customerId: string },
  { actor, context }: Author,
) {
  const { accountId, phoneNumberIds: allowedIds } = asker
  const customer = await addressOf(rt, accountId, customerId)
  if (role !== null && action !== 'pass') {
    throw validationFailed([bodyProblem('role', 'invalid_value', 'Only the action "pass" has a role.')])
  }
  const number = await requireNumber(rt, accountId, { from, allowedIds })
  const ask = () => rt.platform.controlThread(number.credentials, { customer, action, role, note })
  await askPlatform(rt, number, 'the handover', () => ask().catch(refuseUnknown))
  const now = rt.clock.now()
  const addresses = await customerAddresses(rt, accountId, customer)
  const change: OwnerChange = { ...outcomes[action], role: action === 'pass' ? (role ?? 'escalation') : null, at: now }
  const masked = maskPhone(customer)
  const targets = [{ type: 'customer', id: masked, name: masked }]
  const metadata = { number: number.phoneNumber, role: change.role }
  const entry = { accountId, action: `conversation.${words[action]}`, actor, context, targets, metadata }
  await writeAudited(rt, entry, (unit) => addOwner(unit, number, addresses, { change, now }))
  return describeControl(rt, asker, number, { customer, given: customerId })
}

async function addressOf(rt: Runtime, accountId: string, given: string): Promise<string> {
  return given.startsWith('cus_') ? (await findGiven(rt, accountId, given)).address : requireCustomerId(given)
}

const words = { pass: 'passed', release: 'released', take: 'taken' } as const
const outcomes = {
  pass: { owner: 'other' },
  release: { owner: 'idle' },
  take: { owner: 'gateway' },
} as const satisfies Record<string, Pick<OwnerChange, 'owner'>>

function refuseUnknown(error: unknown): never {
  if (!(error instanceof PlatformError) || error.outcome !== 'unknown') throw error
  throw new AppError('control_outcome_unknown', 'Meta did not confirm the new owner of the conversation.', {
    cause: error,
  })
}

async function describeControl(
  rt: Runtime,
  { seesPeople }: Asker,
  number: ChannelNumber,
  { customer, given }: { customer: string; given: string },
) {
  const { owner, role, since, shared, summary } = await findOwner(rt, number, customer)
  return {
    customer_id: given.startsWith('cus_') ? given : customer,
    phone_number: number.phoneNumber,
    owner,
    role,
    since: formatInstant(since),
    shared,
    summary: seesPeople ? summary : null,
  }
}

function requireCustomerId(given: string): string {
  const parsed = parseRecipient(given)
  if (parsed.ok) return parsed.value
  throw validationFailed([{ field: 'customer_id', location: 'path', code: parsed.code, message: parsed.message }])
}
