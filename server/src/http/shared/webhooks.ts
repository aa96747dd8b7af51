import {
  Delivery,
  DeliveryPath,
  Replay,
  ReplayRequest,
  WebhookTest,
  WebhookTestRequest,
} from '../../contract/deliveries.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, optionalBody, ref } from '../../contract/schema.ts'
import {
  CreatedWebhook,
  DeletedWebhook,
  RotatedSecret,
  RotateRequest,
  Webhook,
  WebhookChanges,
  WebhookDraft,
  WebhookPath,
} from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { registerWebhook } from '../../webhooks/register-webhook.ts'
import { replayDeliveries, retryDelivery } from '../../webhooks/replay/replay-deliveries.ts'
import { testWebhook } from '../../webhooks/test-webhook.ts'
import { deleteWebhook, rotateSecret, updateWebhook } from '../../webhooks/update-webhook.ts'
import { verifyWebhook } from '../../webhooks/verify-webhook.ts'
import { type App, routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Webhooks')

/** Changing the webhooks of the account; every change is written together with the line that names who made it. */
export function addWebhookRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.post(
    `${mount.root}/webhooks`,
    route({
      config: mount.may('webhooks:write', { idempotent: true }),
      operationId: 'createWebhook',
      summary: 'Register a webhook',
      description:
        'A challenge is then sent to its url. The response does not wait for the challenge: `GET /v1/webhooks/{webhook_id}` shows its result in `verification`, and in `signed` whether deliveries are signed. `POST /v1/webhooks/{webhook_id}/verify` sends one and waits. Without the scope `messages:read` the webhook is `masked`: its payloads have no texts and names, and numbers with their first and last digits.',
      body: ref(WebhookDraft),
      response: { 201: answer(ref(CreatedWebhook)) },
    }),
    async (request, reply) => {
      const { accountId, author, seesPeople } = mount.principalOf(rt, request)
      const created = await registerWebhook(rt, accountId, request.body, { author: await author(), seesPeople })
      return reply.code(201).send(ok(created))
    },
  )

  app.put(
    `${mount.root}/webhooks/:webhook_id`,
    route({
      config: mount.may('webhooks:write'),
      operationId: 'updateWebhook',
      summary: 'Update a webhook',
      description:
        'Changes the given fields. Without the scope `messages:read`, a new `url` or further events about customers make the webhook `masked`. With the scope, giving its `url` ends that.',
      params: WebhookPath,
      body: ref(WebhookChanges),
      ...furtherChecks('url', 'events', 'active', 'max_in_flight'),
      response: { 200: answer(ref(Webhook)) },
    }),
    async (request) => {
      const { accountId, author, seesPeople } = mount.principalOf(rt, request)
      const { webhook_id: id } = request.params
      return ok(await updateWebhook(rt, accountId, id, request.body, { author: await author(), seesPeople }))
    },
  )

  app.delete(
    `${mount.root}/webhooks/:webhook_id`,
    route({
      config: mount.may('webhooks:write'),
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Cancels its pending deliveries.',
      params: WebhookPath,
      response: { 200: answer(DeletedWebhook) },
    }),
    async (request) => {
      const { accountId, author } = mount.principalOf(rt, request)
      return ok(await deleteWebhook(rt, accountId, request.params.webhook_id, await author()))
    },
  )
  addWebhookActions(app, rt, mount)
}

/** Actions on a webhook: verify, test, rotate, replay. */
function addWebhookActions(app: App, rt: Runtime, mount: Mount): void {
  app.post(
    `${mount.root}/webhooks/:webhook_id/verify`,
    route({
      config: mount.may('webhooks:write'),
      operationId: 'verifyWebhook',
      summary: 'Verify a webhook',
      description: 'Sends a challenge now and waits for the response.',
      params: WebhookPath,
      response: { 200: answer(ref(Webhook)) },
    }),
    async (request) => ok(await verifyWebhook(rt, mount.principalOf(rt, request).accountId, request.params.webhook_id)),
  )

  app.post(
    `${mount.root}/webhooks/:webhook_id/test`,
    route({
      config: mount.may('webhooks:write'),
      operationId: 'testWebhook',
      summary: 'Send a test event to a webhook',
      description:
        'Delivers a sample event now and shows the response of the receiver. A test is not stored: it does not appear in the list of deliveries or in statistics.',
      params: WebhookPath,
      body: ref(WebhookTestRequest),
      response: { 200: answer(ref(WebhookTest)) },
    }),
    async (request) =>
      ok(await testWebhook(rt, mount.principalOf(rt, request).accountId, request.params.webhook_id, request.body.type)),
  )

  app.post(
    `${mount.root}/webhooks/:webhook_id/rotate-secret`,
    route({
      config: mount.may('webhooks:write', { recent: true }),
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description: 'For a while, the old secret signs too.',
      params: WebhookPath,
      body: optionalBody(ref(RotateRequest)),
      response: { 200: answer(ref(RotatedSecret)) },
    }),
    async (request) => {
      const { accountId, author } = mount.principalOf(rt, request)
      return ok(await rotateSecret(rt, accountId, request.params.webhook_id, request.body ?? {}, await author()))
    },
  )
}

/** Having deliveries made again: one now, or past events in bulk. */
export function addRedeliveryRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.post(
    `${mount.root}/webhooks/:webhook_id/deliveries/:delivery_id/retry`,
    route({
      config: mount.may('webhooks:write'),
      operationId: 'retryDelivery',
      summary: 'Retry a delivery',
      description: 'Sends it again now, with the same event id.',
      params: DeliveryPath,
      response: { 200: answer(ref(Delivery)) },
    }),
    async (request) => {
      const { webhook_id: webhookId, delivery_id: deliveryId } = request.params
      const principal = mount.principalOf(rt, request)
      return ok(await retryDelivery(rt, principal.accountId, webhookId, deliveryId, principal))
    },
  )

  app.post(
    `${mount.root}/webhooks/:webhook_id/replay`,
    route({
      config: mount.may('webhooks:write', { idempotent: true }),
      operationId: 'replayDeliveries',
      summary: 'Replay events to a webhook',
      params: WebhookPath,
      body: ref(ReplayRequest),
      response: { 200: answer(ref(Replay)) },
    }),
    async (request) => {
      const { accountId, author } = mount.principalOf(rt, request)
      return ok(await replayDeliveries(rt, accountId, request.params.webhook_id, request.body, await author()))
    },
  )
}
