import {
  DeliveryLog,
  EventOrDelivery,
  FoundDeliveries,
  ReplayPreview,
  ReplayPreviewQuery,
} from '../../contract/console/webhooks.ts'
import { DeliveryPath, DeliveryQuery, DeliveryWithAttempts } from '../../contract/deliveries.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { WebhookPath } from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import {
  describeDeliveries,
  describeDelivery,
  findDeliveries,
  previewReplay,
} from '../../webhooks/replay/list-deliveries.ts'
import { type App, routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Webhooks')

/** What was delivered to a webhook, and what a replay would send. */
export function addConsoleDeliveryRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/deliveries',
    route({
      config: { console: 'webhooks:read' },
      operationId: 'findDeliveries',
      summary: 'The deliveries behind the id of an event or of a delivery',
      querystring: EventOrDelivery,
      response: { 200: answer(ref(FoundDeliveries)) },
    }),
    async (request) => ok(await findDeliveries(rt, memberOf(request), request.query.id)),
  )

  app.get(
    '/console/api/webhooks/:webhook_id/deliveries',
    route({
      config: { console: 'webhooks:read' },
      operationId: 'describeDeliveries',
      summary: 'Deliveries, newest first',
      params: WebhookPath,
      querystring: DeliveryQuery,
      response: { 200: answer(ref(DeliveryLog)) },
    }),
    async (request) => ok(await describeDeliveries(rt, memberOf(request), request.params.webhook_id, request.query)),
  )

  app.get(
    '/console/api/webhooks/:webhook_id/deliveries/:delivery_id',
    route({
      config: { console: 'webhooks:read' },
      operationId: 'describeDelivery',
      summary: 'A delivery with all its attempts',
      params: DeliveryPath,
      response: { 200: answer(ref(DeliveryWithAttempts)) },
    }),
    async (request) => {
      const { webhook_id: webhookId, delivery_id: deliveryId } = request.params
      return ok(await describeDelivery(rt, memberOf(request), webhookId, deliveryId))
    },
  )

  app.get(
    '/console/api/webhooks/:webhook_id/replay',
    route({
      config: { console: 'webhooks:read' },
      operationId: 'previewReplay',
      summary: 'How many deliveries a replay would send',
      params: WebhookPath,
      querystring: ReplayPreviewQuery,
      response: { 200: answer(ref(ReplayPreview)) },
    }),
    async (request) => ok(await previewReplay(rt, memberOf(request), request.params.webhook_id, request.query)),
  )
}
