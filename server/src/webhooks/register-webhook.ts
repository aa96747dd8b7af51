import { type Author, writeChange } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { type Plan, plans } from '../contract/plans.ts'
import { bodyProblem } from '../contract/schema.ts'
import type { WebhookDraft } from '../contract/webhooks.ts'
import { checkTargetUrl, isThisMachine } from '../lib/guarded-http/address-guard.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { insertWebhook, insertWebhookState, reserveWebhook, type WebhookRow } from '../store/webhooks/webhooks.ts'
import { loopbackAllowed } from './delivery/deliver-event.ts'
import { checkSecret, secretPurpose } from './delivery/sign-delivery.ts'
import { eventList, eventText, webhookLine } from './find-webhook.ts'

/** The actor of a change. Data that they can't see is masked in the webhook's payloads. */
export type WebhookEditor = { author?: Author | null; seesPeople?: boolean }

/** Stores a webhook. Its challenge leaves right after the commit; the answer does not wait for it. */
export async function registerWebhook(
  rt: Runtime,
  accountId: string,
  draft: WebhookDraft,
  { author = null, seesPeople = true }: WebhookEditor = {},
) {
  await checkWebhookUrl(rt, accountId, draft.url)
  const webhooks_max = await webhooksMax(rt, accountId)
  const row = { ...newRow(rt, accountId, draft), masked: seesPeople ? 0 : 1 }
  await writeChange(rt, webhookLine(author, 'webhook.created', row), (unit) => {
    unit.add(reserveWebhook, { account_id: accountId, webhooks_max })
    unit.add(insertWebhook, row)
    unit.add(insertWebhookState, { webhook_id: row.id })
  }).catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError(
      'webhook_limit_reached',
      `The plan of this account allows ${webhooks_max} webhooks, and all are in use.`,
    )
  })
  return {
    id: row.id,
    url: row.url,
    events: eventList(row.events),
    active: row.active === 1,
    created_at: formatInstant(row.created_at),
  }
}

/** As many as the plan of the account allows. */
async function webhooksMax(rt: Runtime, accountId: string): Promise<number> {
  const [account] = await rt.store.read(findAccount, { id: accountId })
  return plans[(account?.plan ?? 'free') as Plan].webhooks
}

/** The text of the address alone is judged; whether a name leads to a public address is decided at every connection. */
export async function checkWebhookUrl(rt: Runtime, accountId: string, url: string): Promise<void> {
  const problem = await problemOf(rt, accountId, url)
  if (!problem) return
  const here = isThisMachine(URL.parse(url)?.hostname ?? '')
  const way = here ? ` To get events on this machine, run: postern listen --forward-to ${url.slice(0, 200)}` : ''
  throw refusedUrl(problem.code, `${problem.message}${way}`)
}

const callbackHint = 'For tools in the same network, an operator can list the host in POSTERN_RELAY_ALLOW.'

/** The same for the callbacks of a tool, which may be in a network of the operator's own. */
export async function checkCallbackUrl(rt: Runtime, accountId: string, url: string): Promise<void> {
  const problem = await problemOf(rt, accountId, url, { allow: rt.config.relayAllow, hint: callbackHint })
  if (problem) throw refusedUrl(problem.code, problem.message)
}

type Also = { allow?: readonly string[]; hint?: string }

async function problemOf(rt: Runtime, accountId: string, url: string, { allow = [], ...hints }: Also = {}) {
  // The parser drops or rewrites these: what is stored and shown would not be what is called.
  if (/[\s\p{Cc}]/u.test(url)) {
    const message = 'The URL must not contain spaces, line breaks or control characters; write %20.'
    return { code: 'invalid_url' as const, message }
  }
  const allowLoopback = await loopbackAllowed(rt, { account_id: accountId, url })
  const check = checkTargetUrl(
    url,
    { allow: [...rt.config.webhookDevAllow, ...allow], allowLoopback },
    undefined,
    hints,
  )
  return check.ok ? null : check
}

function refusedUrl(code: 'https_required' | 'invalid_url', message: string): AppError {
  const details = [bodyProblem('url', code, message)]
  return new AppError('webhook_url_not_allowed', message, { details })
}

export function sealSecret(rt: Runtime, webhookId: string, secret: string): string {
  checkSecret(secret)
  return rt.secrets.seal(secretPurpose, webhookId, secret)
}

const maxInFlightDefault = (rt: Runtime) => Math.min(rt.config.webhookConcurrencyPerEndpointMax, 64)

function newRow(rt: Runtime, accountId: string, draft: WebhookDraft): Omit<WebhookRow, 'masked'> {
  const id = rt.newId('whk')
  const now = rt.clock.now()
  return {
    id,
    account_id: accountId,
    kind: 'events',
    url: draft.url,
    events: eventText(draft.events),
    active: draft.active === false ? 0 : 1,
    description: draft.description ?? null,
    max_in_flight: draft.max_in_flight ?? maxInFlightDefault(rt),
    max_per_second: draft.max_per_second ?? null,
    secret: draft.secret === undefined || draft.secret === null ? null : sealSecret(rt, id, draft.secret),
    previous_secret: null,
    previous_secret_until: null,
    ...unverified(rt, now),
    disabled_at: null,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
    revision: 1,
  }
}

/** Ownership is to be proved, from now on. With verification switched off nobody is asked. */
export function unverified(rt: Runtime, now: number) {
  const [firstMs = 0] = rt.config.webhookVerificationScheduleMs
  return {
    verification: 'pending',
    verified_at: null,
    verification_error: null,
    verification_attempts: 0,
    verification_due_at: rt.config.webhookVerification === 'off' ? null : now + firstMs,
  }
}
