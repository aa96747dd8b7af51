import { addOutcome } from '../../access/idempotency.ts'
import { writeChange } from '../../audit/audit.ts'
import { invalidField } from '../../contract/app-error.ts'
import { type Plan, plans } from '../../contract/plans.ts'
import { dayMs, minuteMs, secondMs } from '../../lib/durations.ts'
import { parseInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { findAccount } from '../../store/accounts/accounts.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import type { NewMessage } from '../../store/messages/messages.ts'
import { insertWaiting, markWaiting } from '../../store/messages/waiting.ts'
import { type Recipient, withCustomer } from '../customers/recipient.ts'
import { ownStep } from '../message-record.ts'
import { type Dispatch, type Sent, toAnswer } from './dispatch-message.ts'
import type { Draft, SendCommon, Sender, TemplateRequest } from './draft.ts'
import { addMessage, queuedRow, RepeatInParallel, sentByHand } from './grant-send.ts'
import { draftMessage, type SendRequest } from './send-request.ts'

type Accepting = Omit<Dispatch, 'draft' | 'relied' | 'replaces'> & { request: SendRequest }

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

/** The stored request of a waiting message: its content, and the number chosen for it. */
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

/** Whether the caller asked for a message that waits, or meant to. */
export function mayWait({ queue, send_at, valid_for }: SendCommon): boolean {
  return queue === true || Boolean(send_at) || Boolean(valid_for)
}

const aheadMaxDays = 30
const lateMaxMs = minuteMs
const validForSeconds = { code: 600, others: 86_400 }

/** When to send a message; null for immediately. A time that has just passed counts as now. */
export function sendTime({ config, clock }: Runtime, { queue, send_at, valid_for }: SendCommon): number | null {
  if (valid_for && !queue && !send_at) {
    throw invalidField(
      'valid_for',
      'invalid_value',
      'Only queued or scheduled messages have a `valid_for`: add `queue` or `send_at`.',
    )
  }
  if (!send_at) return null
  const now = clock.now()
  const at = parseInstant(send_at)
  if (at === null) {
    throw invalidField('send_at', 'invalid_format', 'Write a date-time, for example 2026-12-01T09:00:00+00:00.')
  }
  if (at < now - lateMaxMs)
    throw invalidField('send_at', 'invalid_value', 'This time has passed. Leave `send_at` out to send now.')
  const days = daysAhead(config)
  if (at > now + days * dayMs) {
    throw invalidField('send_at', 'invalid_value', `Give a time at most ${days} days ahead.`)
  }
  return at <= now ? null : at
}

/** The latest schedulable time, limited by the retention of contents. */
export function daysAhead({ retentionContentDays }: Runtime['config']): number {
  return Math.min(aheadMaxDays, retentionContentDays)
}

/** As a draft is checked that leaves later: the customer's window of today says nothing about it. */
export function senderAt(sender: Sender, sendAt: number | null): Sender {
  return sendAt === null ? sender : { ...sender, leavesWindow: true }
}

/** A one-time code goes first, and is worthless soon. */
function isCode({ template, direct }: Pick<Draft, 'template' | 'direct'>): boolean {
  return template?.category === 'authentication' || direct?.category === 'authentication'
}

/** When a message expires. Nothing waits for longer than contents are kept. */
function expiryOf(
  { config, clock }: Runtime,
  sendAt: number,
  { valid_for }: SendCommon,
  draft: Pick<Draft, 'template' | 'direct'>,
): number {
  const seconds = valid_for ?? (isCode(draft) ? validForSeconds.code : validForSeconds.others)
  return Math.min(sendAt + seconds * secondMs, clock.now() + config.retentionContentDays * dayMs)
}
