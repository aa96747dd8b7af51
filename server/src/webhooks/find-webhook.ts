import { AppError } from '../contract/app-error.ts'
import type { Runtime } from '../runtime.ts'
import { findWebhook, listWebhooks as listRows, type WebhookWithState } from '../store/webhooks.ts'
import { type WebhookView, webhookView } from './webhook-view.ts'

/** The row of a webhook; one of another account does not exist for this one. */
export async function webhookOf(rt: Runtime, accountId: string, id: string): Promise<WebhookWithState> {
  const [row] = await rt.store.read(findWebhook, { id, account_id: accountId })
  if (!row) throw noSuchWebhook(id)
  return row
}

export async function getWebhook(rt: Runtime, accountId: string, id: string): Promise<WebhookView> {
  return webhookView(await webhookOf(rt, accountId, id))
}

/** Oldest first; there are at most 20. */
export async function listWebhooks(rt: Runtime, accountId: string): Promise<WebhookView[]> {
  return (await rt.store.read(listRows, { account_id: accountId })).map(webhookView)
}

export function noSuchWebhook(id: string): AppError {
  return new AppError('webhook_not_found', `There is no webhook ${id.slice(0, 64)} in this account.`)
}

export function webhookInactive(): AppError {
  return new AppError('webhook_inactive', 'The webhook is inactive. Activate it with PUT {"active": true} first.')
}
