import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { Webhook, WebhookList, WebhookPath } from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { getWebhook, listWebhooks } from '../../webhooks/find-webhook.ts'
import { type App, callerOf, routesOf } from '../edge/context.ts'

const route = routesOf('Webhooks')
const read = { access: { scope: 'webhooks:read' } } as const

/** Reading the webhooks of the account; the console shows more of them than programs get. */
export function addWebhookReadRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/webhooks',
    route({
      config: read,
      operationId: 'listWebhooks',
      summary: 'List webhooks with their statistics',
      response: { 200: answer(WebhookList) },
    }),
    async (request) => ok({ webhooks: await listWebhooks(rt, callerOf(request).accountId) }),
  )

  app.get(
    '/v1/webhooks/:webhook_id',
    route({
      config: read,
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      params: WebhookPath,
      response: { 200: answer(ref(Webhook)) },
    }),
    async (request) => ok(await getWebhook(rt, callerOf(request).accountId, request.params.webhook_id)),
  )
}
