import { DeliveryList, DeliveryPath, DeliveryQuery, DeliveryWithAttempts } from '../../contract/deliveries.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { Webhook, WebhookList, WebhookPath } from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { getWebhook, listWebhooks } from '../../webhooks/find-webhook.ts'
import { getDelivery } from '../../webhooks/replay/get-delivery.ts'
import { listDeliveries } from '../../webhooks/replay/list-deliveries.ts'
import { type App, callerOf, routesOf } from '../edge/context.ts'
import { apiMount } from '../shared/mount.ts'

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

/** Deliveries of a webhook. */
export function addWebhookDeliveryRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/webhooks/:webhook_id/deliveries',
    route({
      config: read,
      operationId: 'listDeliveries',
      summary: 'List deliveries of a webhook',
      description: 'Newest first.',
      params: WebhookPath,
      querystring: DeliveryQuery,
      response: { 200: answer(DeliveryList) },
    }),
    async (request) => {
      const { accountId, seesPeople } = apiMount.principalOf(rt, request)
      return ok(await listDeliveries(rt, accountId, request.params.webhook_id, request.query, { seesPeople }))
    },
  )

  app.get(
    '/v1/webhooks/:webhook_id/deliveries/:delivery_id',
    route({
      config: read,
      operationId: 'getDelivery',
      summary: 'Get a delivery with its attempts',
      description:
        'Without the scope `messages:read`, the payload has no texts and names, numbers have their first and last digits, message ids are those of the gateway, and responses of the receiver are left out.',
      params: DeliveryPath,
      response: { 200: answer(ref(DeliveryWithAttempts)) },
    }),
    async (request) => {
      const { webhook_id: webhookId, delivery_id: deliveryId } = request.params
      const { accountId, seesPeople } = apiMount.principalOf(rt, request)
      return ok(await getDelivery(rt, accountId, webhookId, deliveryId, { seesPeople }))
    },
  )
}
