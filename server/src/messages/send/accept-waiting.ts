import { addOutcome } from '../../access/idempotency.ts'
import { writeChange } from '../../audit/audit.ts'
import type { Plan } from '../../contract/plans.ts'
import { plans } from '../../contract/plans.ts'
import type { Runtime } from '../../runtime.ts'
import { findAccount } from '../../store/accounts/accounts.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import type { NewMessage } from '../../store/messages/messages.ts'
import { insertWaiting, markWaiting } from '../../store/messages/waiting.ts'
import { type Recipient, withCustomer } from '../customers/recipient.ts'
import { ownStep } from '../message-record.ts'
import { type Dispatch, type Sent, toAnswer } from './dispatch-message.ts'
import type { Sender, TemplateRequest } from './draft.ts'
import { addMessage, queuedRow, RepeatInParallel, sentByHand } from './grant-send.ts'
import { draftMessage, type SendRequest } from './send-request.ts'
import { expiryOf, isCode, senderAt, sendTime } from './wait-times.ts'

export type Accepting = Omit<Dispatch, 'draft' | 'relied' | 'replaces'> & { request: SendRequest }

/**
 * Stores a message that waits: with its idempotency key and the answer to repeats of it, in one unit. What waiting cannot
 * change is checked now, and everything again when it is due.
 */
export async function acceptWaiting(rt: Runtime, accepting: Accepting): Promise<Sent> {
  const { sender, request, idempotencyKey, answerOf } = accepting
  const now = rt.clock.now()
  const sendAt = sendTime(rt, request.body)
  const checked = { ...senderAt(sender, sendAt), dryRun: true }
  const draft = await draftMessage(rt, checked, request)
  await requireRoom(rt, sender)
  const times = {
    send_at: sendAt ?? now,
    expires_at: expiryOf(rt, sendAt ?? now, request.body, draft),
    next_attempt_at: sendAt ?? now,
    attempts: 0,
    waiting_for: sendAt === null ? 'rate' : 'time',
  }
  const row: NewMessage = {
    ...queuedRow(rt, sender, draft),
    ...times,
    status: 'waiting',
    history: `[${ownStep('waiting', now)}]`,
    settle_by: null,
  }
  const waiting = {
    message_id: row.id,
    account_id: row.account_id,
    number_id: row.number_id,
    key_id: sender.keyId,
    client_reference: row.client_reference,
    rank: isCode(draft) ? 0 : 1,
    due_at: times.next_attempt_at,
    expires_at: times.expires_at,
    attempts: 0,
    held: 0,
    request: requestText(request, draft.number.id),
  }
  let recipient: Recipient | null = null
  try {
    const result = await writeChange(rt, sentByHand(sender, row), (unit) => {
      recipient = addMessage(rt, unit, { sender, draft, idempotencyKey }, row)
      unit.add(markWaiting, row)
      unit.add(insertWaiting, waiting)
      if (idempotencyKey) addOutcome(unit, idempotencyKey, row.id, toAnswer(answerOf({ row, timestamp: now })))
    })
    return { row: await withCustomer(rt, row, recipient && result.first(recipient)), timestamp: now }
  } catch (error) {
    if (error instanceof ConditionFailed && error.operation === 'idempotency.claim') throw new RepeatInParallel()
    throw error
  }
}

async function requireRoom(rt: Runtime, { accountId }: Sender): Promise<void> {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  await rt.waitingRoom.enter(accountId, plans[(account?.plan ?? 'free') as Plan].waitingSends)
}

/** What is kept of a request that waits: what it says, and the number that was chosen for it. */
type Kept = {
  request: SendRequest
  /** A template that is sent in place of a text. */
  instead?: true
}

export function requestText({ kind, body }: SendRequest, numberId: string): string {
  const { queue: _queue, send_at: _sendAt, valid_for: _validFor, ...said } = body
  return JSON.stringify({ request: { kind, body: { ...said, from: numberId } } })
}

export function fallbackText(fallback: TemplateRequest, numberId: string): string {
  const { request } = JSON.parse(requestText({ kind: 'template', body: fallback }, numberId)) as Kept
  return JSON.stringify({ request, instead: true } satisfies Kept)
}

export function readRequest(text: string): Kept {
  return JSON.parse(text) as Kept
}
