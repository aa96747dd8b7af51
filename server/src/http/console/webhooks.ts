import {
  CheckedSignature,
  DeliveryLog,
  EventOrDelivery,
  FoundDeliveries,
  ReplayPreview,
  ReplayPreviewQuery,
  SignatureToCheck,
  WebhookDetail,
  WebhookStandings,
} from '../../contract/console/webhooks.ts'
import { DeliveryPath, DeliveryQuery, DeliveryWithAttempts } from '../../contract/deliveries.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { WebhookPath } from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { describeWebhook, describeWebhooks } from '../../webhooks/console-webhooks.ts'
import {
  describeDeliveries,
  describeDelivery,
  findDeliveries,
  previewReplay,
} from '../../webhooks/replay/list-deliveries.ts'
import { checkSignature } from '../../webhooks/test-webhook.ts'
import { type App, routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Webhooks')

/** Webhooks as people look at them: with their standing, and a check of a signature. */
export function addConsoleWebhookRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/webhooks',
    route({
      config: { console: 'webhooks:read' },
      operationId: 'describeWebhooks',
      summary: 'All webhooks, oldest first',
      response: { 200: answer(ref(WebhookStandings)) },
    }),
    async (request) => ok(await describeWebhooks(rt, memberOf(request))),
  )

  app.get(
    '/console/api/webhooks/:webhook_id',
    route({
      config: { console: 'webhooks:read' },
      operationId: 'describeWebhook',
      summary: 'A webhook and its deliveries in the last 24 hours',
      params: WebhookPath,
      response: { 200: answer(ref(WebhookDetail)) },
    }),
    async (request) => ok(await describeWebhook(rt, memberOf(request), request.params.webhook_id)),
  )

  app.post(
    '/console/api/webhooks/:webhook_id/check-signature',
    route({
      config: { console: 'webhooks:read' },
      operationId: 'checkSignature',
      summary: 'Whether a signature is one of this webhook',
      params: WebhookPath,
      body: ref(SignatureToCheck),
      response: { 200: answer(ref(CheckedSignature)) },
    }),
    async (request) =>
      ok(await checkSignature(rt, memberOf(request).accountId, request.params.webhook_id, request.body)),
  )
}

/** Deliveries of a webhook, and the preview of a replay. */
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
