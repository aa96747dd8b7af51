import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { noteInbound } from '../../store/messages/contacts.ts'
import { noteArrived } from '../../store/messages/conversations.ts'
import {
  dropMergedContacts,
  dropMergedConversations,
  inheritFrom,
  mergeAddresses,
  mergeContacts,
  mergeConversations,
  mergeCustomer,
} from '../../store/messages/customer-merges.ts'
import {
  addAddress,
  changeAddress,
  findIdentities,
  findMerged,
  type IdentityRow,
  insertCustomer,
  takeCustomer,
  touchCustomer,
} from '../../store/messages/customers.ts'
import { followMerged } from '../../store/messages/messages.ts'
import { addressesIn, type Identity, type Plan, planFor } from './identity.ts'

/** The stored customer, if known. */
export async function readPlan(rt: Runtime, accountId: string, identity: Identity): Promise<Plan> {
  const known: IdentityRow[] = await rt.store.read(findIdentities, {
    account_id: accountId,
    addresses: addressesIn(identity),
  })
  return planFor(known, identity, () => rt.newId('cus'))
}

/**
 * The unit that applies the plan. It fails with ConditionFailed where any of its customers has changed since it was read.
 */
export function addPlan(
  rt: Runtime,
  unit: Unit,
  accountId: string,
  plan: Plan,
  activeAt = rt.clock.now(),
): { revision: number } {
  const { customerId, isNew, changes, merged, left } = plan
  const now = rt.clock.now()
  if (changes.length === 0 && merged.length === 0 && !isNew) return plan
  const taken = [...(isNew ? [] : [{ id: customerId, revision: plan.revision }]), ...merged, ...left]
  if (taken.length > 0) unit.add(takeCustomer, ...taken.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  if (isNew) unit.add(insertCustomer, { id: customerId, account_id: accountId, active_at: activeAt, created_at: now })
  for (const { id } of merged) {
    const merge = { id, into_id: customerId, account_id: accountId, now }
    unit.add(mergeAddresses, merge)
    unit.add(mergeContacts, merge)
    unit.add(dropMergedContacts, merge)
    unit.add(mergeConversations, merge)
    unit.add(dropMergedConversations, merge)
    unit.add(inheritFrom, merge)
    unit.add(mergeCustomer, merge)
  }
  const isMerged = (id: string | null) => merged.some((one) => one.id === id)
  for (const { address, shown, channelId, linkedAt, replacedAt, heldBy } of changes) {
    const where = { account_id: accountId, address, shown, channel_id: channelId }
    const row = { ...where, linked_at: linkedAt, replaced_at: replacedAt }
    const next = { ...row, customer_id: customerId }
    if (heldBy === null) unit.add(addAddress, next)
    else unit.add(changeAddress, { ...next, held_by: isMerged(heldBy) ? customerId : heldBy })
  }
  return { revision: plan.revision + (isNew ? 0 : 1) }
}

/** After the unit of a plan: the messages of customers who were found to be another one go to that one. */
export async function afterPlan(rt: Runtime, { merged }: Plan): Promise<void> {
  if (merged.length > 0) await moveMerged(rt)
}

const batch = 500
/** A message may be stored at the moment in which its customer is found to be another one. */
const strayMs = 300_000

/**
 * Moves messages to whom their customer was found to be. Run by who found it, and by a job for messages stored in between.
 */
export async function moveMerged(rt: Runtime): Promise<'done'> {
  const merged = await rt.store.read(findMerged, { since: rt.clock.now() - strayMs })
  for (const { id, account_id, merged_into } of merged) {
    for (let moved = batch; moved === batch; ) {
      const unit = new Unit()
      const call = unit.add(followMerged, { id, account_id, into_id: merged_into, count: batch })
      moved = (await rt.store.writeApart(unit)).rows(call).length
    }
  }
  return 'done'
}

const triesMax = 8

/**
 * Stores what a customer did, together with who they are: `store` writes the unit, to which it has added what there is to
 * store. Where someone has changed who they are meanwhile, all of it is decided again.
 */
export async function asCustomer<Result>(
  rt: Runtime,
  accountId: string,
  identity: Identity,
  store: (unit: Unit, customerId: string) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const plan = await readPlan(rt, accountId, identity)
    const unit = new Unit()
    const { revision } = addPlan(rt, unit, accountId, plan, identity.at)
    const { name = null, at } = identity
    unit.add(touchCustomer, { id: plan.customerId, name, at, revision })
    try {
      const result = await store(unit, plan.customerId)
      await afterPlan(rt, plan)
      return result
    } catch (error) {
      if (!(error instanceof ConditionFailed && isOfPlan.has(error.operation)) || tries >= triesMax) throw error
    }
  }
}

const isOfPlan: ReadonlySet<string> = new Set(
  [takeCustomer, touchCustomer, addAddress, changeAddress].map(({ name }) => name),
)

export type Written = { accountId: string; numberId: string; identity: Identity; unread: number }

/** A customer wrote to a number of ours, or called it, as far as their window is concerned. */
export async function noteWritten(rt: Runtime, { accountId, numberId, identity, unread }: Written): Promise<void> {
  await asCustomer(rt, accountId, identity, (unit, customerId) => {
    addInbound(unit, { accountId, numberId, customerId, at: identity.at, unread })
    return rt.store.write(unit)
  })
}

type Inbound = {
  accountId: string
  numberId: string
  customerId: string
  at: number
  /** The time that orders the conversation; default: when the message was written, in WhatsApp's whole seconds. */
  activeAt?: number
  unread: number
}

export function addInbound(unit: Unit, { accountId, numberId, customerId, at, activeAt = at, unread }: Inbound): void {
  unit.add(noteInbound, {
    number_id: numberId,
    customer_id: customerId,
    account_id: accountId,
    last_inbound_at: at,
  })
  unit.add(noteArrived, {
    customer_id: customerId,
    account_id: accountId,
    number_id: numberId,
    at,
    active_at: activeAt,
    unread,
  })
}
