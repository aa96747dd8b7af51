import { AppError } from '../../contract/app-error.ts'
import type { ForwardReport } from '../../contract/listening.ts'
import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import type { BoundTo } from '../../store/engine/cursor.ts'
import { Unit } from '../../store/engine/unit.ts'
import { insertForwarded, insertForwardedAttempt } from '../../store/webhooks/listeners.ts'
import type { Attempt } from '../delivery/deliver-event.ts'
import type { AttemptTrigger } from '../delivery/delivery-view.ts'
import { bodyExcerpt, headerExcerpt, type Judgement, judgeAnswer, responseBytesKept } from '../delivery/judge-answer.ts'
import { reportAttempt } from '../delivery/report-attempt.ts'
import type { ListenerOwner } from './open-listener.ts'

/** The data of a streamed delivery that is needed when its response is reported. */
type HandedOut = {
  readonly id: string
  readonly attemptId: string
  readonly webhookId: string
  readonly eventId: string
  readonly type: string
  readonly messageId: string | null
  readonly cause: AttemptTrigger
  readonly sentAt: number
}

/** Travels with the delivery and comes back with its answer, so that no process has to remember what it handed out. */
export function sealReceipt(rt: Runtime, owner: ListenerOwner, delivery: HandedOut): string {
  const { id, attemptId, webhookId, eventId, type, messageId, cause, sentAt } = delivery
  const facts = [id, attemptId, webhookId, eventId, type, messageId ?? '', cause, sentAt]
  return rt.cursors.seal(facts, receiptBinding(owner), { lifeMs: dayMs })
}

/**
 * Writes down how the receiver on a developer's machine answered. One attempt per receipt: a report that is repeated,
 * after its answer was lost, changes nothing. There is no second attempt, whatever the answer was: a person is
 * watching.
 */
export async function recordForwarded(rt: Runtime, owner: ListenerOwner, given: ForwardReport) {
  const delivery = openReceipt(rt, owner, given.receipt)
  const attempt = toAttempt(rt, delivery, given)
  const status = attempt.judgement.verdict === 'ok' ? ('delivered' as const) : ('failed' as const)
  await rt.store.write(unitOf(owner, delivery, attempt, status))
  reportAttempt(rt, attempt, {
    account_id: owner.accountId,
    webhook_id: delivery.webhookId,
    delivery_id: delivery.id,
    event_id: delivery.eventId,
    event: delivery.type,
    attempt: 1,
    cause: delivery.cause,
    waited_ms: 0,
    result: status,
    next_attempt_at: null,
  })
  return { webhook_id: delivery.webhookId, delivery_id: delivery.id, status }
}

function receiptBinding({ accountId, keyId }: ListenerOwner): BoundTo {
  return [accountId, 'receipt', keyId]
}

function openReceipt(rt: Runtime, owner: ListenerOwner, receipt: string): HandedOut {
  const opened = rt.cursors.open(receipt, receiptBinding(owner))
  if ('refused' in opened) {
    throw new AppError('delivery_not_found', 'The receipt is unknown, older than a day, or belongs to another API key.')
  }
  const [id = '', attemptId = '', webhookId = '', eventId = '', type = '', messageId = '', cause = ''] =
    opened.position.map(String)
  return {
    id,
    attemptId,
    webhookId,
    eventId,
    type,
    messageId: messageId === '' ? null : messageId,
    cause: cause as AttemptTrigger,
    sentAt: Number(opened.position[7]),
  }
}

function toAttempt(rt: Runtime, { attemptId }: HandedOut, given: ForwardReport): Attempt {
  const durationMs = given.duration_ms
  const body = Buffer.from(given.response_body ?? '').subarray(0, responseBytesKept)
  return {
    id: attemptId,
    url: given.url,
    startedAt: rt.clock.now() - durationMs,
    durationMs,
    judgement: judge(rt, given),
    remoteIp: null,
    responseHeaders: headerExcerpt(given.response_headers ?? {}),
    responseBody: bodyExcerpt(body),
  }
}

/** The same judgement as of any receiver; nobody pauses for what its headers ask. */
function judge(
  rt: Runtime,
  { status_code, error_code, error_message, duration_ms: durationMs }: ForwardReport,
): Judgement {
  if (status_code == null) {
    const code = error_code ?? 'protocol_error'
    return judgeAnswer({ kind: 'failure', code, message: error_message ?? '', durationMs }, rt.clock.now())
  }
  const outcome = {
    kind: 'response' as const,
    statusCode: status_code,
    headers: {},
    bodyExcerpt: Buffer.alloc(0),
    remoteIp: '',
    durationMs,
  }
  return { ...judgeAnswer(outcome, rt.clock.now()), pauseMs: 0, gone: false }
}

function unitOf(owner: ListenerOwner, delivery: HandedOut, attempt: Attempt, status: 'delivered' | 'failed'): Unit {
  const { judgement } = attempt
  const unit = new Unit()
  unit.add(insertForwarded, {
    id: delivery.id,
    webhook_id: delivery.webhookId,
    account_id: owner.accountId,
    event_id: delivery.eventId,
    type: delivery.type,
    status,
    cause: delivery.cause,
    outcome: judgement.verdict,
    started_at: attempt.startedAt,
    created_at: delivery.sentAt,
  })
  unit.add(insertForwardedAttempt, {
    id: attempt.id,
    delivery_id: delivery.id,
    webhook_id: delivery.webhookId,
    number: 1,
    cause: delivery.cause,
    url: attempt.url,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    status_code: judgement.statusCode,
    error_code: judgement.errorCode,
    error_message: judgement.errorMessage,
    remote_ip: null,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    next_attempt_at: null,
  })
  return unit
}
