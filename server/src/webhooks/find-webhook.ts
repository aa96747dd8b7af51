import { AppError } from '../contract/app-error.ts'
import { enforced } from '../events/verification-mode.ts'
import type { Runtime } from '../runtime.ts'
import { findListener, type ListenerRow } from '../store/webhooks/listeners.ts'
import {
  findWebhook,
  listWebhooks as listRows,
  type WebhookRow,
  type WebhookWithState,
} from '../store/webhooks/webhooks.ts'
import { type WebhookView, webhookView } from './webhook-view.ts'

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

/** Where events go: to a webhook, or to a listener, which has a log and is in no other way a webhook. */
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
