import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { Webhook, WebhookList, WebhookPath } from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { getWebhook, listWebhooks } from '../../webhooks/find-webhook.ts'
import { type App, callerOf } from '../edge/context.ts'

const tags = ['Webhooks']
const read = { access: { scope: 'webhooks:read' } } as const

/** Reading the webhooks of the account; the console shows more of them than programs get. */
export function addWebhookReadRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/webhooks',
    {
      config: read,
      schema: {
        operationId: 'listWebhooks',
        summary: 'List all webhooks with their statistics',
        tags,
        response: { 200: answer(WebhookList) },
      },
    },
    async (request) => ok({ webhooks: await listWebhooks(rt, callerOf(request).accountId) }),
  )

  app.get(
    '/v1/webhooks/:webhook_id',
    {
      config: read,
      schema: {
        operationId: 'getWebhook',
        summary: 'Read one webhook',
        tags,
        params: WebhookPath,
        response: { 200: answer(ref(Webhook)) },
      },
    },
    async (request) => ok(await getWebhook(rt, callerOf(request).accountId, request.params.webhook_id)),
  )
}
