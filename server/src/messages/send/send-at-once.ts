import type { Admission } from '../../access/admission.ts'
import { type SendDeadline, sendDeadline } from '../../access/send-deadline.ts'
import { recallNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import type { RateLimit } from '../../lib/rate-limiter.ts'
import type { Runtime } from '../../runtime.ts'
import type { RateAtOnce, SendRate } from '../../send-rate.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../../store/engine/unit.ts'
import {
  isAdmission,
  requireRemembered,
  requireWritten,
  reserveForCustomer,
  reserveForNumber,
  takeForSends,
} from '../../store/messages/admission.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { enterAtOnce } from '../rate-limits/bulkhead.ts'
import { addFirstWrite, callAndRecord, type Dispatch, queuedRow, type Sent, storeFirst } from './dispatch-message.ts'
import { type Draft, type Sender, wantedNumber } from './draft.ts'
import type { Queued } from './revert-send.ts'
import { draftMessage, isPlain, type SendRequest } from './send-request.ts'
import { mayFreeForm, windowMs, windowState } from './window.ts'

export type AtOnce = Omit<Dispatch, 'draft'> & { request: SendRequest; admission: Admission }

/**
 * The short way of a send: its first write also checks key, numbers and window, so that nothing is read before it. On a shared
 * database it takes from quota and rate limits as well, and one round trip stands before the platform's call. Null where the
 * message needs more than that, or where the write found something in the way: nothing is stored or counted then, and the send
 * goes the long way, on fresh reads, which refuses it, waits for its rate limit, or knows what has changed.
 */
export async function sendAtOnce(rt: Runtime, { request, admission, ...dispatch }: AtOnce): Promise<Sent | null> {
  const { sender } = dispatch
  const recalled = isPlain(request) ? recallNumber(rt, sender.accountId, wantedNumber(request.body, sender)) : null
  const draft = recalled && (await draftOrNull(rt, { ...sender, recalled: recalled.number }, request))
  if (!draft) return null
  const { number, address } = draft
  const deadline = sender.deadline ?? sendDeadline(rt)
  const release = deadline.filesWaitMs() > 0 ? await enterAtOnce(rt, number) : null
  if (!release) return null
  try {
    const rate = { numberId: number.id, sendsPerSecond: number.sendsPerSecond, customer: address.value }
    const granting = { admission, rate, numbers: recalled.text, deadline }
    const row = await firstWrite(rt, { ...dispatch, draft }, granting)
    if (!row) return null
    const limits = { rate, deadline, endsMs: performance.now() + deadline.rateWaitMs() }
    return await callAndRecord(rt, { ...dispatch, draft }, { row, limits, release })
  } finally {
    release()
  }
}

type Granting = { admission: Admission; rate: SendRate; numbers: string; deadline: SendDeadline }

/** The message when it is on disk, and with it everything it must be granted; null when something of that was refused. */
async function firstWrite(rt: Runtime, dispatch: Dispatch, granting: Granting): Promise<MessageRow | null> {
  const { sender, draft, idempotencyKey } = dispatch
  const { admission, rate, numbers, deadline } = granting
  const reserved = rt.sendRate.atOnce(rate)
  const taking = reserved && admission.take()
  let isStored = false
  try {
    if (!taking) return null
    const row = queuedRow(rt, sender, draft)
    const unit = new Unit()
    const { accountId: account_id, keyId: key_id } = sender
    unit.add(requireRemembered, { key_id: key_id ?? '', epoch: admission.epoch, account_id, numbers })
    addWindowAndRates(unit, row, windowOf(rt, row, draft), reserved.limits)
    const slot = taking.quota && unit.add(takeForSends, { account_id, wanted: 1, ...taking.quota })
    const queued = { row, draft, idempotencyKey, counted: taking.quota }
    addFirstWrite(rt, unit, queued)
    const result = await writeOrNull(rt, queued, deadline, unit)
    if (!result) {
      rt.numberMemory.forget(account_id)
      return null
    }
    isStored = true
    admission.pass((slot && result.first(slot)) ?? nothingTaken)
    return row
  } finally {
    if (!isStored) {
      taking?.undo()
      reserved?.undo()
    }
  }
}

const nothingTaken = { hour_start: null, hour_used: null, day_used: null }

/** A refusal on the strength of what is remembered is none yet. */
async function draftOrNull(rt: Runtime, sender: Sender, request: SendRequest): Promise<Draft | null> {
  try {
    return await rt.tracer.span('validate', {}, () => draftMessage(rt, sender, request))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

async function writeOrNull(
  rt: Runtime,
  queued: Queued,
  deadline: SendDeadline,
  unit: Unit,
): Promise<UnitResult | null> {
  try {
    return await storeFirst(rt, queued, deadline, () => rt.store.write(unit))
  } catch (error) {
    if (error instanceof ConditionFailed && isAdmission(error.operation)) return null
    throw error
  }
}

type NeededWindow = { number_id: string; address: string; written_after: number | null }

/** Where rates are reserved by the write, the customer's window is looked at in the same statement. */
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
function windowOf(rt: Runtime, row: MessageRow, { number, address, type }: Draft): NeededWindow {
  const now = row.created_at
  const { windowPolicy: policy } = rt.config
  const unseen = { policy, channelKind: number.kind, numberConnectedAt: number.connectedAt, lastInboundAt: null, now }
  const needsNoWindow = type === 'template' || mayFreeForm(windowState(unseen), policy)
  return { number_id: number.id, address: address.value, written_after: needsNoWindow ? null : now - windowMs }
}

function reservationOf({ key, everyMs, burst }: RateLimit, { created_at: now }: MessageRow) {
  return { slot_key: key, takes_ms: everyMs, room_ms: everyMs * burst, now }
}
