import { formatInstant } from '../lib/instant.ts'
import { createShortMac } from '../lib/short-mac.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import { type ClaimedJob, enqueueJob } from '../store/jobs/jobs.ts'
import { standardHeaders } from './delivery/deliver-event.ts'
import { judgeAnswer } from './delivery/judge-answer.ts'
import { signatureWith } from './delivery/sign-delivery.ts'
import { signingBytes } from './secret-rules.ts'

export const operatorNoticeKind = 'webhooks.tell_operator'

type Notice = { id: string; type: string; accountId: string; data: Record<string, unknown> }

/** In the unit of what it tells of, so that each transition is told of once; nothing without an address. */
export function addOperatorNotice(rt: Runtime, unit: Unit, { id, type, accountId, data }: Notice): void {
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
