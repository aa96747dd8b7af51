import type { Admission } from '../../access/admission.ts'
import { sendDeadline } from '../../access/send-deadline.ts'
import { recallNumber } from '../../channels/require-number.ts'
import { AppError } from '../../contract/app-error.ts'
import type { RateLimit } from '../../lib/rate-limiter.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../../store/engine/unit.ts'
import { admitSend } from '../../store/messages/admission.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { enterAtOnce } from '../rate-limits/bulkhead.ts'
import { addFirstWrite, callAndRecord, type Dispatch, queuedRow, type Sent, storeFirst } from './dispatch-message.ts'
import { type Draft, type Sender, wantedNumber } from './draft.ts'
import type { Queued } from './revert-send.ts'
import { draftMessage, isPlain, type SendRequest } from './send-request.ts'
import { mayFreeForm, windowMs, windowState } from './window.ts'

export type AtOnce = Omit<Dispatch, 'draft'> & { request: SendRequest; admission: Admission }

/**
 * The short way of a send on a shared database: its first write also checks key, numbers and window and takes from quota
 * and rate limits, so that one round trip stands before the platform's call. Null where the message needs more than that,
 * or where the write found something in the way: nothing is stored or counted then, and the send goes the long way, on
 * fresh reads, which refuses it, waits for its rate limit, or knows what has changed.
 */
export async function sendAtOnce(rt: Runtime, { request, admission, ...dispatch }: AtOnce): Promise<Sent | null> {
  const { sender, idempotencyKey } = dispatch
  const recalled = isPlain(request) ? recallNumber(rt, sender.accountId, wantedNumber(request.body, sender)) : null
  const draft = recalled && (await draftOrNull(rt, { ...sender, recalled: recalled.number }, request))
  if (!draft) return null
  const { number, address } = draft
  const deadline = sender.deadline ?? sendDeadline(rt)
  const rate = { numberId: number.id, sendsPerSecond: number.sendsPerSecond, customer: address.value }
  const rates = rt.sendRate.limits(rate)
  const release = rates && deadline.filesWaitMs() > 0 ? await enterAtOnce(rt, number) : null
  if (!rates || !release) return null
  try {
    const row = queuedRow(rt, sender, draft)
    const counted = admission.quota()
    const unit = new Unit()
    const slot = unit.add(admitSend, {
      ...factsOf(rt, row, draft),
      key_id: sender.keyId ?? '',
      epoch: admission.epoch,
      numbers: recalled.text,
      ...(counted ?? uncounted),
      ...reservationOf(rates),
    })
    const queued = { row, draft, idempotencyKey, counted }
    addFirstWrite(rt, unit, queued)
    const result = await writeOrNull(rt, queued, unit)
    if (!result) {
      rt.numberMemory.forget(sender.accountId)
      return null
    }
    admission.pass(result.first(slot) ?? nothingTaken)
    const limits = { rate, deadline, endsMs: performance.now() + deadline.rateWaitMs() }
    return await callAndRecord(rt, { ...dispatch, draft }, { row, limits, release })
  } finally {
    release()
  }
}

const uncounted = { hour_quota: null, hour_start: 0, day_quota: null, day_start: 0 }
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

async function writeOrNull(rt: Runtime, queued: Queued, unit: Unit): Promise<UnitResult | null> {
  try {
    return await storeFirst(rt, queued, () => rt.store.write(unit))
  } catch (error) {
    if (error instanceof ConditionFailed && error.operation === admitSend.name) return null
    throw error
  }
}

/** Who is written to, and whether the customer must have written first. */
function factsOf(rt: Runtime, row: MessageRow, { number, address, type }: Draft) {
  const now = row.created_at
  const { windowPolicy: policy } = rt.config
  const unseen = { policy, channelKind: number.kind, numberConnectedAt: number.connectedAt, lastInboundAt: null, now }
  const needsNoWindow = type === 'template' || mayFreeForm(windowState(unseen), policy)
  const written_after = needsNoWindow ? null : now - windowMs
  return { id: row.id, account_id: row.account_id, number_id: number.id, address: address.value, written_after, now }
}

function reservationOf([customer, number]: readonly [RateLimit, RateLimit]) {
  return {
    customer_slot: customer.key,
    customer_every_ms: customer.everyMs,
    customer_burst: customer.burst,
    number_slot: number.key,
    number_every_ms: number.everyMs,
    number_burst: number.burst,
  }
}
