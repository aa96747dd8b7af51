import { CheckedSignature, SignatureToCheck, WebhookDetail, WebhookStandings } from '../../contract/console/webhooks.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { WebhookPath } from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { describeWebhook, describeWebhooks } from '../../webhooks/console-webhooks.ts'
import { checkSignature } from '../../webhooks/test-webhook.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
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
