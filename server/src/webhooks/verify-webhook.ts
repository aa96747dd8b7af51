import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { AppError } from '../contract/app-error.ts'
import { requireCheckLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { Unit } from '../store/engine/unit.ts'
import { moveWaiting, releaseHeld } from '../store/webhooks/deliveries.ts'
import {
  beginChallenge,
  claimChallenges,
  type DueChallenge,
  failChallenge,
  nextChallengeAt,
  passChallenge,
  postponeChallenge,
} from '../store/webhooks/webhook-verification.ts'
import { loopbackAllowed, standardHeaders } from './delivery/deliver-event.ts'
import { judgeAnswer } from './delivery/judge-answer.ts'
import { signDelivery } from './delivery/sign-delivery.ts'
import { announceWebhook } from './disable-webhook.ts'
import { getWebhook, noSuchWebhook, type WebhookView, webhookOf } from './find-webhook.ts'

/** One check now, asked for by the owner; the schedule of further checks starts anew when it fails. */
export async function verifyWebhook(rt: Runtime, accountId: string, id: string): Promise<WebhookView> {
  await webhookOf(rt, accountId, id)
  await requireCheckLimit(rt, accountId)
  const claim = randomUUID()
  const unit = new Unit()
  const call = unit.add(beginChallenge, { id, account_id: accountId, ...lease(rt), claim })
  const result = await rt.store.write(unit).catch((error: unknown) => {
    throw error instanceof ConditionFailed ? noSuchWebhook(id) : error
  })
  const challenge = result.first(call)
  if (!challenge) throw noSuchWebhook(id)
  const { problem, ours } = await checkOwnership(rt, challenge, claim)
  if (ours) throw new AppError('service_unavailable', 'The gateway could not send the challenge.')
  if (problem !== null) throw new AppError('webhook_verification_failed', problem)
  return getWebhook(rt, accountId, id)
}

/** Challenges under way at once, per process: each is a socket for ten seconds at most. */
export const challengesMax = 128
/** Of 20 webhooks an account may have: silent ones must not hold every place for the length of a time-out. */
const perAccountMax = 4
/**
 * The other half is for accounts with nothing under way whose webhook was never asked: to make a newcomer wait, an
 * attacker needs 80 accounts with silent receivers, not four.
 */
const sharedMax = challengesMax / 2

/** Takes webhooks whose check is due. Each is then to be given to `checkOwnership` with the same claim. */
export async function claimDueChallenges(rt: Runtime, claim: string, running: number): Promise<DueChallenge[]> {
  const shared = running < sharedMax
  const limits = shared
    ? { count: sharedMax - running, account_max: perAccountMax, first_only: 0 }
    : { count: challengesMax - running, account_max: 1, first_only: 1 }
  const unit = new Unit()
  const call = unit.add(claimChallenges, { ...lease(rt), claim, ...limits })
  return (await rt.store.write(unit)).rows(call)
}

function lease(rt: Runtime): { now: number; lease_until: number } {
  const now = rt.clock.now()
  return { now, lease_until: now + rt.config.jobLeaseMs }
}

/** The problem, or null if the receiver returned the challenge; `ours`: the gateway could not send it. */
type Check = { problem: string | null; ours: boolean }

/** Sends a challenge and records the response. */
export async function checkOwnership(rt: Runtime, webhook: DueChallenge, claim: string): Promise<Check> {
  const { problem, ours } = await askReceiver(rt, webhook)
  const { id } = webhook
  const unit = new Unit()
  const now = rt.clock.now()
  if (ours) unit.add(postponeChallenge, { id, claim, due_at: now + ownFaultPauseMs })
  else if (problem === null) {
    unit.add(passChallenge, { id, claim, now })
    unit.add(releaseHeld, { webhook_id: id, account_id: webhook.account_id, now })
  } else await addFailure(rt, unit, { webhook, claim, problem })
  rt.log.info(
    { webhook_id: id, account_id: webhook.account_id, verified: problem === null, problem },
    'webhook.checked',
  )
  // A condition that failed means that the url changed meanwhile: this result is about nothing.
  await rt.store.write(unit).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
  })
  return { problem, ours }
}

const ownFaultPauseMs = 5_000

async function askReceiver(rt: Runtime, webhook: DueChallenge): Promise<Check> {
  const challenge = randomBytes(32).toString('base64url')
  const body = Buffer.from(JSON.stringify({ type: 'webhook.verification', challenge }))
  const timestampSeconds = Math.floor(rt.clock.now() / 1_000)
  const id = rt.newId('vrf')
  const signature = signDelivery(rt, webhook, { id, timestampSeconds, body })
  const totalMs = rt.config.webhookVerificationTimeoutMs
  const outcome = await rt.deliver.post({
    url: webhook.url,
    headers: standardHeaders(id, timestampSeconds, signature),
    body,
    timeouts: { headersMs: totalMs, totalMs, bodyMs: totalMs },
    allowLoopback: await loopbackAllowed(rt, webhook),
  })
  const { verdict, errorCode, errorMessage, statusCode } = judgeAnswer(outcome, rt.clock.now())
  if (verdict !== 'ok' || outcome.kind === 'failure') {
    const problem =
      errorCode === null ? `The receiver responded with status ${statusCode}.` : `${errorCode}: ${errorMessage}`
    return { problem, ours: verdict === 'ours' }
  }
  const returned = returnsChallenge(outcome.bodyExcerpt, challenge)
  return { problem: returned ? null : 'The response did not contain the challenge.', ours: false }
}

/** After the last attempt nothing is held any more, and it is told of. */
async function addFailure(
  rt: Runtime,
  unit: Unit,
  { webhook, claim, problem }: { webhook: DueChallenge; claim: string; problem: string },
): Promise<void> {
  const { id, account_id: accountId } = webhook
  const delayMs = rt.config.webhookVerificationScheduleMs[webhook.verification_attempts + 1]
  const due_at = delayMs === undefined ? null : rt.clock.now() + delayMs
  unit.add(failChallenge, { id, claim, error: problem, due_at })
  if (due_at !== null) return
  const row = await webhookOf(rt, accountId, id).catch(() => null)
  if (!row || row.verification === 'verified') return
  if (rt.config.webhookVerification === 'enforce') unit.add(moveWaiting, { webhook_id: id, status: 'skipped' })
  announceWebhook(rt, unit, 'webhook.failing', { ...row, verification: 'failed', verification_error: problem })
  rt.log.warn({ webhook_id: id, account_id: accountId, problem }, 'webhook.verification_failed')
}

/** Milliseconds until the next check is due; 0 when one is. */
export async function nextChallengeInMs(rt: Runtime): Promise<number> {
  const now = rt.clock.now()
  const [next] = await rt.store.read(nextChallengeAt, { now })
  return next?.at === null || next === undefined ? Number.POSITIVE_INFINITY : Math.max(0, next.at - now)
}

/**
 * Did the receiver return the challenge? As plain text, as a JSON string, as `{"challenge": ...}` or as a form field,
 * with white space or a byte order mark around it. An echo of the whole request passes too: lazy but honest receivers
 * do that.
 */
export function returnsChallenge(body: Uint8Array, challenge: string): boolean {
  const text = Buffer.from(body)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim()
  return [text, fromJson(text), fromForm(text)].some((reply) => reply !== null && isSame(reply, challenge))
}

function fromJson(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
    const challenge = (value as { challenge?: unknown } | null)?.challenge
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

function fromForm(text: string): string | null {
  return new URLSearchParams(text).get('challenge')
}

function isSame(reply: string, challenge: string): boolean {
  const [given, wanted] = [Buffer.from(reply), Buffer.from(challenge)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
