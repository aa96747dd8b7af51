import { type Plan, plans } from '../contract/plans.ts'
import { publishEvent } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import { createShortMac } from '../lib/secrets.ts'
import { startOfDay, toFacts, windowsAt } from '../limits/quota.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit, type UnitResult } from '../store/engine/unit.ts'
import { type ClaimedJob, enqueueJob } from '../store/jobs/jobs.ts'
import { cancelWaiting, endDeliveries, moveWaiting } from '../store/webhooks/deliveries.ts'
import { listUnwarned, markQuotaWarned, markWarned } from '../store/webhooks/webhook-states.ts'
import { disableWebhook as disable, type WebhookWithState } from '../store/webhooks/webhooks.ts'
import { standardHeaders } from './delivery/deliver-event.ts'
import { judgeAnswer } from './delivery/judge-answer.ts'
import { countCancelled } from './delivery/report-attempt.ts'
import { signatureWith, signingBytes } from './delivery/sign-delivery.ts'
import { webhookView } from './find-webhook.ts'

type DisableReason = 'failing' | 'gone'

/**
 * Switches a webhook off and tells of it, once. A receiver that says it is gone gets nothing more;
 * what a failing one missed is kept for a replay.
 */
export async function disableWebhook(rt: Runtime, row: WebhookWithState, reason: DisableReason): Promise<boolean> {
  const now = rt.clock.now()
  const unit = new Unit()
  unit.add(disable, { id: row.id, url: row.url, reason, now })
  const cancelled = reason === 'gone' ? unit.add(cancelWaiting, { webhook_id: row.id }) : null
  if (!cancelled) unit.add(moveWaiting, { webhook_id: row.id, status: 'skipped' })
  endDeliveries(unit, rt.store.engine)
  announceWebhook(rt, unit, 'webhook.disabled', { ...row, active: 0, disabled_at: now, disabled_reason: reason })
  const result = await writeOnce(rt, unit)
  if (!result) return false
  if (cancelled) countCancelled(rt, result.rows(cancelled))
  rt.log.warn({ webhook_id: row.id, account_id: row.account_id, reason }, 'webhook.disabled')
  return true
}

/** A day without success: a warning, once, while there is time to fix it. */
export async function warnOfFailing(rt: Runtime, row: WebhookWithState): Promise<boolean> {
  const unit = new Unit()
  unit.add(markWarned, { webhook_id: row.id, now: rt.clock.now() })
  announceWebhook(rt, unit, 'webhook.failing', row)
  if (!(await writeOnce(rt, unit))) return false
  const fields = { webhook_id: row.id, account_id: row.account_id, failing_since: row.failing_since }
  rt.log.warn(fields, 'webhook.failing')
  return true
}

/** Null when another process was first, or a caller has moved the webhook to another address. */
async function writeOnce(rt: Runtime, unit: Unit): Promise<UnitResult | null> {
  try {
    return await rt.store.write(unit)
  } catch (error) {
    if (error instanceof ConditionFailed) return null
    throw error
  }
}

type Announcement = 'webhook.failing' | 'webhook.disabled'

/** Tells the account's other webhooks what became of this one, and the operator. */
export function announceWebhook(rt: Runtime, unit: Unit, type: Announcement, row: WebhookWithState): void {
  const { account_id: accountId, id: exceptWebhookId } = row
  const data = webhookView(row)
  const id = publishEvent(rt, unit, { accountId, type, subject: null, sequence: 1, data, exceptWebhookId })
  addOperatorNotice(rt, unit, { id, type, accountId, data })
}

export const operatorNoticeKind = 'webhooks.tell_operator'

type Notice = { id: string; type: string; accountId: string; data: Record<string, unknown> }

/** In the unit of what it tells of, so that each transition is told of once; nothing without an address. */
function addOperatorNotice(rt: Runtime, unit: Unit, { id, type, accountId, data }: Notice): void {
  if (rt.config.operatorCallbackUrl === null) return
  const now = rt.clock.now()
  // The operator has many accounts: whose it is stands beside what the account's own webhooks are told.
  const body = { id, type, api_version: 'v1', timestamp: formatInstant(now), account_id: accountId, data }
  unit.add(enqueueJob, {
    id: rt.newId('job'),
    lane: 'main',
    kind: operatorNoticeKind,
    subject: id,
    account_id: accountId,
    payload: JSON.stringify(body),
    run_at: now,
    now,
  })
}

/** A throw has the job tried again later, with the same id and bytes. The address may hold a secret and is not told. */
export async function tellOperator(rt: Runtime, { subject: id, payload }: ClaimedJob): Promise<'done'> {
  const { operatorCallbackUrl: url, operatorCallbackSecret: secret } = rt.config
  if (url === null) return 'done'
  const body = Buffer.from(payload)
  const timestampSeconds = Math.floor(rt.clock.now() / 1_000)
  const message = { id, timestampSeconds, body }
  const signature = secret === null ? null : signatureWith(createShortMac(signingBytes(secret)), message)
  const headers = standardHeaders(id, timestampSeconds, signature)
  const outcome = await rt.deliver.post({ url, headers, body, allowLoopback: true })
  const { verdict, statusCode, errorCode } = judgeAnswer(outcome, rt.clock.now())
  if (verdict === 'ok') return 'done'
  throw new Error(`The operator's address did not accept the notification: ${errorCode ?? `status ${statusCode}`}.`)
}

const warnFrom = 0.8

/** Tells accounts that have used four fifths of their day, once a day. */
export async function warnOfQuotas(rt: Runtime): Promise<void> {
  const now = rt.clock.now()
  const day_start = startOfDay(now)
  for (const { account_id, plan, day_used } of await rt.store.read(listUnwarned, { day_start, used_min: usedMin })) {
    const [, day] = windowsAt(plan as Plan, { hour: 0, day: day_used }, now) ?? []
    if (!day || day.used < day.quota * warnFrom) continue
    const unit = new Unit()
    unit.add(markQuotaWarned, { account_id, day_start })
    const about = { accountId: account_id, subject: null, sequence: 1, data: toFacts(day) }
    publishEvent(rt, unit, { ...about, type: 'account.quota_warning' })
    await rt.store.write(unit).catch((error: unknown) => {
      // Another node was first.
      if (!(error instanceof ConditionFailed)) throw error
    })
  }
}

/** No plan is warned of below this, so that the query returns next to nothing. */
const usedMin = Math.min(...Object.values(plans).flatMap(({ day }) => (day === null ? [] : [day * warnFrom])))
