import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { listFailingEverywhere } from '../store/webhooks/webhook-states.ts'

export type FailingWebhookView = {
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
