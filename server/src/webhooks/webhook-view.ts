import type { AuditEntry, Author } from '../audit/audit.ts'
import { formatInstant } from '../lib/instant.ts'
import { maskQuery } from '../lib/text/mask.ts'
import type { WebhookWithState } from '../store/webhooks/webhooks.ts'

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
export function successRate(sent: number, failed: number): number {
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
