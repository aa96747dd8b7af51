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
  WebhookList,
  WebhookPath,
  WebhookTest,
  WebhookTestRequest,
} from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { deleteWebhook } from '../../webhooks/delete-webhook.ts'
import { getWebhook, listWebhooks } from '../../webhooks/find-webhook.ts'
import { registerWebhook } from '../../webhooks/register-webhook.ts'
import { rotateSecret } from '../../webhooks/rotate-secret.ts'
import { testWebhook } from '../../webhooks/test-webhook.ts'
import { updateWebhook } from '../../webhooks/update-webhook.ts'
import { verifyWebhook } from '../../webhooks/verify-webhook.ts'
import { barredFromTexts } from '../edge/access.ts'
import { authorOf } from '../edge/author-of.ts'
import { type App, callerOf } from '../edge/context.ts'

const tags = ['Webhooks']
const read = { access: { scope: 'webhooks:read' } } as const
const write = { access: { scope: 'webhooks:write' } } as const

/** Webhooks of the account: register, list, change, delete. */
export function addWebhookRoutes(app: App, rt: Runtime): void {
  app.post(
    '/v1/webhooks',
    {
      config: { ...write, idempotent: true },
      schema: {
        operationId: 'createWebhook',
        summary: 'Register a webhook; a challenge is then sent to its url',
        description: 'For `message.received`, and for `*`, the API key also needs the scope `messages:read`.',
        tags,
        body: ref(WebhookDraft),
        response: { 201: answer(ref(CreatedWebhook)) },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          ok(
            await registerWebhook(
              rt,
              callerOf(request).accountId,
              request.body,
              await authorOf(rt, request),
              barredFromTexts(request),
            ),
          ),
        ),
  )

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

  app.put(
    '/v1/webhooks/:webhook_id',
    {
      config: write,
      schema: {
        operationId: 'updateWebhook',
        summary: 'Change the given fields of a webhook',
        tags,
        params: WebhookPath,
        body: ref(WebhookChanges),
        ...furtherChecks('url', 'events', 'active', 'max_in_flight'),
        response: { 200: answer(ref(Webhook)) },
      },
    },
    async (request) => {
      const { accountId } = callerOf(request)
      const author = await authorOf(rt, request)
      return ok(
        await updateWebhook(rt, accountId, request.params.webhook_id, request.body, author, barredFromTexts(request)),
      )
    },
  )

  app.delete(
    '/v1/webhooks/:webhook_id',
    {
      config: write,
      schema: {
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook and cancel what is pending',
        tags,
        params: WebhookPath,
        response: { 200: answer(DeletedWebhook) },
      },
    },
    async (request) => {
      const { accountId } = callerOf(request)
      return ok(await deleteWebhook(rt, accountId, request.params.webhook_id, await authorOf(rt, request)))
    },
  )
  addWebhookActions(app, rt)
}

/** What can be asked of one webhook beyond reading and changing it. */
function addWebhookActions(app: App, rt: Runtime): void {
  app.post(
    '/v1/webhooks/:webhook_id/verify',
    {
      config: write,
      schema: {
        operationId: 'verifyWebhook',
        summary: 'Send a challenge now and wait for the answer',
        tags,
        params: WebhookPath,
        response: { 200: answer(ref(Webhook)) },
      },
    },
    async (request) => ok(await verifyWebhook(rt, callerOf(request).accountId, request.params.webhook_id)),
  )

  app.post(
    '/v1/webhooks/:webhook_id/test',
    {
      config: write,
      schema: {
        operationId: 'testWebhook',
        summary: 'Deliver a sample event now and show the answer of the receiver',
        tags,
        params: WebhookPath,
        body: ref(WebhookTestRequest),
        response: { 200: answer(ref(WebhookTest)) },
      },
    },
    async (request) =>
      ok(await testWebhook(rt, callerOf(request).accountId, request.params.webhook_id, request.body.type)),
  )

  app.post(
    '/v1/webhooks/:webhook_id/rotate-secret',
    {
      config: write,
      schema: {
        operationId: 'rotateWebhookSecret',
        summary: 'Replace the secret; the old one signs beside it for a while',
        tags,
        params: WebhookPath,
        body: optionalBody(ref(RotateRequest)),
        response: { 200: answer(ref(RotatedSecret)) },
      },
    },
    async (request) => {
      const { accountId } = callerOf(request)
      const rotation = request.body ?? {}
      return ok(await rotateSecret(rt, accountId, request.params.webhook_id, rotation, await authorOf(rt, request)))
    },
  )
}
