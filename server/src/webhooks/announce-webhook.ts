import { publishEvent } from '../events/publish-event.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import type { WebhookWithState } from '../store/webhooks/webhooks.ts'
import { addOperatorNotice } from './tell-operator.ts'
import { webhookView } from './webhook-view.ts'

export type Announcement = 'webhook.failing' | 'webhook.disabled'

/** Tells the account's other webhooks what became of this one, and the operator. */
export function announceWebhook(rt: Runtime, unit: Unit, type: Announcement, row: WebhookWithState): void {
  const { account_id: accountId, id: exceptWebhookId } = row
  const data = webhookView(row)
  const id = publishEvent(rt, unit, { accountId, type, subject: null, sequence: 1, data, exceptWebhookId })
  addOperatorNotice(rt, unit, { id, type, accountId, data })
}
