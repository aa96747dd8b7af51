import type { AuditEntry, Author } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { enforced } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import { maskQuery } from '../lib/text/mask.ts'
import type { Runtime } from '../runtime.ts'
import { findListener, type ListenerRow } from '../store/webhooks/listeners.ts'
import { listFailingEverywhere } from '../store/webhooks/webhook-states.ts'
import {
  findWebhook,
  listWebhooks as listRows,
  type WebhookRow,
  type WebhookWithState,
} from '../store/webhooks/webhooks.ts'

/** The row of a webhook; one of another account does not exist for this one, and a relay is not shown as one. */
export async function webhookOf(rt: Runtime, accountId: string, id: string): Promise<WebhookWithState> {
  const row = await endpointOf(rt, accountId, id)
  if (row.kind !== 'events') throw noSuchWebhook(id)
  return row
}

/** The row of a webhook or of a relay: what is sent to either is recorded, shown and sent again in one way. */
export async function endpointOf(rt: Runtime, accountId: string, id: string): Promise<WebhookWithState> {
  const [row] = await rt.store.read(findWebhook, { id, account_id: accountId })
  if (!row) throw noSuchWebhook(id)
  return row
}

/** A target of events: a webhook, or a listener, which only has a delivery log. */
export type Receiver = { webhook: WebhookWithState; listener?: never } | { listener: ListenerRow; webhook?: never }

export async function receiverOf(rt: Runtime, accountId: string, id: string): Promise<Receiver> {
  const [listener] = await rt.store.read(findListener, { id, account_id: accountId })
  return listener ? { listener } : { webhook: await endpointOf(rt, accountId, id) }
}

export async function getWebhook(rt: Runtime, accountId: string, id: string): Promise<WebhookView> {
  return webhookView(await webhookOf(rt, accountId, id))
}

/** Oldest first; there are at most 20. */
export async function listWebhooks(rt: Runtime, accountId: string): Promise<WebhookView[]> {
  return (await rt.store.read(listRows, { account_id: accountId })).map(webhookView)
}

export function noSuchWebhook(id: string): AppError {
  return new AppError('webhook_not_found', `This account has no webhook ${id.slice(0, 64)}.`)
}

/** Nothing is put on its way to a webhook that is off, or to a receiver that failed its check: it would never arrive. */
export function requireSendable(rt: Pick<Runtime, 'config'>, webhook: WebhookRow): void {
  if (webhook.active === 0) {
    throw new AppError('webhook_inactive', 'The webhook is inactive. Activate it with PUT {"active": true} first.')
  }
  if (webhook.verification === 'failed' && enforced(rt) === 1) {
    throw new AppError(
      'webhook_verification_failed',
      'The receiver did not return the challenge. Fix the receiver, then verify the webhook again.',
    )
  }
}

type FailingWebhookView = {
  account_id: string
  account_name: string | null
  webhook_id: string
  /** Without path and query, which may hold a token of the receiver. */
  server: string
  failing_since: string | null
  paused_until: string | null
  /** The oldest delivery that is due. */
  waiting_since: string | null
  /** Status or error of the last failed attempt. */
  last_response: string | null
}

/** The webhooks of all accounts that fail or are paused, the longest first: for the operator whom an alert sent here. */
export async function listFailingWebhooks(rt: Runtime): Promise<FailingWebhookView[]> {
  const now = rt.clock.now()
  const found = await rt.store.read(listFailingEverywhere, { now })
  return found.map((row) => ({
    account_id: row.account_id,
    account_name: row.account_name,
    webhook_id: row.webhook_id,
    server: new URL(row.url).origin,
    failing_since: row.failing_since === null ? null : formatInstant(row.failing_since),
    paused_until: row.paused_until > now ? formatInstant(row.paused_until) : null,
    waiting_since: row.oldest_due_at === null || row.oldest_due_at > now ? null : formatInstant(row.oldest_due_at),
    last_response: row.status_code === null ? row.error_code : String(row.status_code),
  }))
}

/** A webhook as the API shows it, and as events about webhooks carry it. Its secret is never part of it. */
export function webhookView(row: WebhookWithState) {
  return {
    id: row.id,
    url: row.url,
    events: eventList(row.events),
    active: row.active === 1,
    masked: row.masked === 1,
    signed: row.secret !== null,
    description: row.description,
    max_in_flight: row.max_in_flight,
    max_per_second: row.max_per_second,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    last_triggered: formatInstant(row.last_triggered),
    verification: {
      status: row.verification as 'pending' | 'verified' | 'failed',
      verified_at: formatInstant(row.verified_at),
      last_error: row.verification_error,
    },
    disabled_at: formatInstant(row.disabled_at),
    disabled_reason: row.disabled_reason as 'failing' | 'gone' | null,
    stats: {
      total_sent: row.total_sent,
      total_failed: row.total_failed,
      success_rate: successRate(row.total_sent, row.total_failed),
    },
  }
}

export type WebhookView = ReturnType<typeof webhookView>

/** Stored with a space around every name, so that a statement can look for one. */
export function eventText(events: readonly string[]): string {
  return ` ${events.join(' ')} `
}

export function eventList(text: string): string[] {
  return text.trim() === '' ? [] : text.trim().split(' ')
}

/** In percent with two decimals; 100 before anything was sent, because a zero would trip every alarm. */
function successRate(sent: number, failed: number): number {
  return sent === 0 ? 100 : Math.round(((sent - failed) / sent) * 10_000) / 100
}

type Target = { id: string; account_id: string; url: string }

/** The line of the audit log about a change of a webhook; null where no person or key asked for it. */
export function webhookLine(
  author: Author | null,
  action: string,
  { id, account_id: accountId, url }: Target,
  metadata: Record<string, unknown> = {},
): AuditEntry | null {
  const targets = [{ type: 'webhook', id, name: maskQuery(url) }]
  return author && { ...author, accountId, action, targets, metadata }
}
