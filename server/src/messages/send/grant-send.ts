import type { Admission } from '../../access/caller.ts'
import { addClaim, type IdempotencyKey, leaseMs } from '../../access/idempotency.ts'
import { requireTimeToCall, sendDeadline } from '../../access/send-deadline.ts'
import { type AuditEntry, writeChange } from '../../audit/audit.ts'
import { addRelease, addReservations, isOverBudget, overBudget } from '../../budgets/hold.ts'
import { recallTerms, type Terms } from '../../budgets/terms.ts'
import { AppError } from '../../contract/app-error.ts'
import { addressKey, countryOf } from '../../lib/phone.ts'
import type { Release } from '../../limits/concurrency.ts'
import type { RateLimit } from '../../limits/rate.ts'
import { enterAtOnce, enterBulkhead, type RateAtOnce, type SendRate } from '../../limits/send-limits.ts'
import type { Runtime } from '../../runtime.ts'
import { keepReserved } from '../../store/costs/budgets.ts'
import { ConditionFailed, StoreUnavailable } from '../../store/engine/store-error.ts'
import type { Unit } from '../../store/engine/unit.ts'
import {
  requireRemembered,
  requireWritten,
  reserveForCustomer,
  reserveForNumber,
  takeForSends,
} from '../../store/messages/admission.ts'
import { readConversationOf } from '../../store/messages/conversations.ts'
import { nameFile } from '../../store/messages/message-list.ts'
import {
  blankMessage,
  insertMessage,
  type MessageRow,
  type NewMessage,
  replaceContent,
} from '../../store/messages/messages.ts'
import { addRecipient, customerInRates, type Recipient, withCustomer } from '../customers/recipient.ts'
import { ownStep } from '../message-record.ts'
import { mayFreeForm, windowMs, windowState } from '../window.ts'
import type { CallLimits } from './call-within-rate.ts'
import { type Draft, NeedsReads, type Sender } from './draft.ts'
import { revertSend } from './revert-send.ts'

/** A draft, who sends it, and what it was drafted from. */
export type Wanted = {
  sender: Sender
  draft: Draft
  idempotencyKey: IdempotencyKey | null
  /** The draft is of what this process remembers. The grant checks it, and takes from the plan; nothing else has. */
  relied?: { numbers: string; admission: Admission }
  /** The stored message that this draft replaces. */
  replaces?: MessageRow
}

/** Runs a send's call within the rate limits and the concurrency limit of its number. */
export type Room = CallLimits & { release: Release }

/** A repeat that came at the same moment as the first takes the outcome of the first. */
export class RepeatInParallel extends Error {}

/**
 * Waits for the rate limits and for the concurrency limit of the number, and rejects the send when that takes too long. A draft
 * from memory doesn't wait: its grant reserves what is free.
 */
export async function enterNumber(rt: Runtime, { sender, draft, relied }: Wanted): Promise<Room> {
  const { number, address } = draft
  const { id: numberId, accountId, sendsPerSecond } = number
  const rate = { numberId, sendsPerSecond, customer: customerInRates(rt, accountId, address.value) }
  const deadline = sender.deadline ?? sendDeadline(rt)
  const waitMaxMs = deadline.rateWaitMs()
  const limits = { rate, deadline, endsMs: performance.now() + waitMaxMs }
  if (relied) {
    const release = deadline.filesWaitMs() > 0 ? await enterAtOnce(rt, number) : null
    if (!release) throw new NeedsReads()
    return { ...limits, release }
  }
  requireTimeToCall(deadline)
  await rt.sendRate.wait(rate, waitMaxMs)
  return { ...limits, release: await enterBulkhead(rt, number, limits.endsMs - performance.now()) }
}

/**
 * The one unit before the platform is called: the message, its idempotency key and, for a draft from memory, everything that the
 * draft relies on and takes. On a shared database that includes quota and rate limits, so one round trip stands before the call.
 * Where a condition doesn't hold, nothing is stored or counted.
 */
export async function grantSend(rt: Runtime, wanted: Wanted, { rate, deadline }: Room): Promise<MessageRow> {
  const { sender, draft, idempotencyKey, relied, replaces } = wanted
  let row: NewMessage = { ...queuedRow(rt, sender, draft), ...(replaces && keptOf(replaces)) }
  const terms = draft.number.budgetMark === 0 ? null : await recallTerms(rt, draft.number)
  let recipient: Recipient | null = null
  const taken = relied ? takeAtOnce(rt, relied.admission, rate) : null
  let slot: ReturnType<typeof addConditions> = null
  try {
    const result = await writeChange(rt, replaces ? null : sentByHand(sender, row), (unit) => {
      if (relied && taken) slot = addConditions(rt, unit, { ...wanted, relied, row, taken })
      row = addBudgets(unit, terms, row, replaces)
      recipient = addMessage(rt, unit, wanted, row)
    })
    requireTimeToCall(deadline)
    taken?.pass((slot && result.first(slot)) ?? nothingTaken)
    return replaces
      ? { ...row, revision: row.revision + 1 }
      : await withCustomer(rt, row, recipient && result.first(recipient))
  } catch (error) {
    taken?.undo()
    if (error instanceof ConditionFailed && error.operation === 'idempotency.claim') throw new RepeatInParallel()
    if (error instanceof ConditionFailed && relied) {
      rt.numberMemory.forget(sender.accountId)
      throw new NeedsReads()
    }
    if (isOverBudget(error)) throw await overBudget(rt, sender.accountId, [row])
    // The message is stored, or may be, and will not be sent.
    const isTooLate = error instanceof AppError
    const isLost = error instanceof StoreUnavailable && error.outcome === 'unknown'
    if (isTooLate || isLost) void revertSend(rt, { row, draft, idempotencyKey, counted: taken?.quota ?? null })
    throw error
  }
}

const nothingTaken = { hour_start: null, hour_used: null, day_used: null }

/** The limits that a send from memory reserves: in this process, or with its unit. */
function takeAtOnce(rt: Runtime, admission: Admission, rate: SendRate) {
  const reserved = rt.sendRate.atOnce(rate)
  const taking = reserved && admission.take()
  if (!taking) {
    reserved?.undo()
    throw new NeedsReads()
  }
  const undo = () => {
    taking.undo()
    reserved.undo()
  }
  return { limits: reserved.limits, quota: taking.quota, pass: admission.pass.bind(admission), undo }
}

type Conditions = Wanted & {
  relied: NonNullable<Wanted['relied']>
  row: NewMessage
  taken: ReturnType<typeof takeAtOnce>
}

/** Key, numbers, rate limits, window and quota, in the order in which a shared database locks their rows. */
function addConditions(rt: Runtime, unit: Unit, { sender, draft, relied, row, taken }: Conditions) {
  const { accountId: account_id, keyId } = sender
  const { numbers, admission } = relied
  unit.add(requireRemembered, { key_id: keyId ?? '', epoch: admission.epoch, account_id, numbers })
  addWindowAndRates(unit, row, neededWindow(rt, row, draft), taken.limits)
  return taken.quota && unit.add(takeForSends, { account_id, wanted: 1, ...taken.quota })
}

type NeededWindow = { account_id: string; number_id: string; address: string; written_after: number | null }

/** If the write reserves the rates, the same statement checks the customer's window. */
function addWindowAndRates(unit: Unit, row: MessageRow, window: NeededWindow, limits: RateAtOnce['limits']): void {
  if (limits) {
    unit.add(reserveForNumber, reservationOf(limits.number, row))
    unit.add(reserveForCustomer, { ...reservationOf(limits.customer, row), ...window })
    return
  }
  const { written_after } = window
  if (written_after !== null) unit.add(requireWritten, { ...window, written_after })
}

/** Whose window must be open, and whether it must. */
function neededWindow(rt: Runtime, row: MessageRow, { number, address, type, leavesWindow }: Draft): NeededWindow {
  const now = row.created_at
  const { windowPolicy: policy } = rt.config
  const unseen = { policy, channelKind: number.kind, numberConnectedAt: number.connectedAt, lastInboundAt: null, now }
  const needsNoWindow = leavesWindow || type === 'template' || mayFreeForm(windowState(unseen), policy)
  const { accountId: account_id, id: number_id } = number
  return {
    account_id,
    number_id,
    address: addressKey(address.value),
    written_after: needsNoWindow ? null : now - windowMs,
  }
}

function reservationOf({ key, everyMs, burst }: RateLimit, { created_at: now }: MessageRow) {
  return { slot_key: key, takes_ms: everyMs, room_ms: everyMs * burst, now }
}

/** Reserves the maximum cost before the message: budgets are always locked before messages. */
function addBudgets(unit: Unit, terms: Terms | null, row: NewMessage, replaces?: MessageRow): NewMessage {
  if (replaces) addRelease(unit, replaces)
  const [next = row] = addReservations(unit, terms, [row], row.created_at)
  if (replaces && next.reserved !== null) unit.add(keepReserved, { id: row.id, reserved: next.reserved })
  return next
}

export function addMessage(
  rt: Runtime,
  unit: Unit,
  { sender, draft, idempotencyKey, replaces }: Wanted,
  row: NewMessage,
): Recipient | null {
  if (idempotencyKey && !replaces) addClaim(rt, unit, idempotencyKey, row.id)
  if (replaces) unit.add(replaceContent, row)
  else addRecipient(rt, unit, row, draft.address.value)
  const inserted = replaces ? null : unit.add(insertMessage, row)
  for (const media_id of draft.files ?? []) unit.add(nameFile, { media_id, message_id: row.id })
  // A customer's message that is answered has been read.
  if (sender.author && !replaces) {
    unit.add(readConversationOf, { account_id: row.account_id, address: addressKey(draft.address.value) })
  }
  return inserted
}

/** For a key, the message itself records the sender; for a person, an audit entry does. */
export function sentByHand({ accountId, author }: Sender, { id, type }: MessageRow): AuditEntry | null {
  const targets = [{ type: 'message', id, name: type }]
  return author ? { ...author, accountId, action: 'message.sent_by_hand', targets } : null
}

function keptOf({ id, customer_id, created_at, history, settle_by, revision }: MessageRow) {
  return { id, customer_id, created_at, history, settle_by, revision }
}

export function queuedRow(rt: Runtime, sender: Sender, draft: Draft): NewMessage {
  const now = rt.clock.now()
  return {
    ...blankMessage,
    id: rt.newId('out'),
    account_id: sender.accountId,
    number_id: draft.number.id,
    direction: 'outbound',
    type: draft.type,
    status: 'queued',
    customer_address: addressKey(draft.address.value),
    phone: draft.address.kind === 'phone' ? draft.address.value : null,
    user_id: draft.address.kind === 'user' ? draft.address.value : null,
    template: draft.template?.name ?? null,
    language: draft.template?.language ?? null,
    category: draft.template?.category ?? draft.direct?.category ?? null,
    country: countryOf(draft.address.value),
    api_key_id: sender.keyId,
    sent_by: sender.author?.actor.id ?? null,
    client_reference: draft.clientReference,
    reply_to: draft.replyTo,
    opaque: draft.opaque ?? null,
    used: draft.used,
    content: JSON.stringify(draft.content),
    history: `[${ownStep('queued', now)}]`,
    created_at: now,
    settle_by: now + leaseMs(rt),
  }
}
