import { authorOf, type Member, personalDataRefused, seesPersonalData } from '../../access/console-member.ts'
import type { AppError } from '../../contract/app-error.ts'
import { CheckedSignature, SignatureToCheck, WebhookDetail, WebhookStandings } from '../../contract/console/webhooks.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import {
  CreatedWebhook,
  DeletedWebhook,
  RotatedSecret,
  RotateRequest,
  Webhook,
  WebhookChanges,
  WebhookDraft,
  WebhookPath,
  WebhookTest,
  WebhookTestRequest,
} from '../../contract/webhooks.ts'
import type { Runtime } from '../../runtime.ts'
import { checkSignature } from '../../webhooks/check-signature.ts'
import { describeWebhook, describeWebhooks } from '../../webhooks/console-webhooks.ts'
import { deleteWebhook } from '../../webhooks/delete-webhook.ts'
import { registerWebhook } from '../../webhooks/register-webhook.ts'
import { rotateSecret } from '../../webhooks/rotate-secret.ts'
import { testWebhook } from '../../webhooks/test-webhook.ts'
import { updateWebhook } from '../../webhooks/update-webhook.ts'
import { verifyWebhook } from '../../webhooks/verify-webhook.ts'
import type { App } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const tags = ['Webhooks']

/** Webhooks of the account; every change is written together with the line that names who made it. */
export function addConsoleWebhookRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/webhooks',
    {
      config: { console: 'webhooks:read' },
      schema: {
        operationId: 'describeWebhooks',
        summary: 'All webhooks, oldest first',
        tags,
        response: { 200: answer(ref(WebhookStandings)) },
      },
    },
    async (request) => ok(await describeWebhooks(rt, memberOf(request))),
  )

  app.post(
    '/console/api/webhooks',
    {
      config: { console: 'webhooks:write' },
      schema: {
        operationId: 'addWebhook',
        summary: 'Add a webhook; a challenge is then sent to its url',
        tags,
        body: ref(WebhookDraft),
        response: { 201: answer(ref(CreatedWebhook)) },
      },
    },
    async (request, reply) => {
      const member = memberOf(request)
      reply.code(201)
      return ok(await registerWebhook(rt, member.accountId, request.body, authorOf(member), barredFromTexts(member)))
    },
  )

  app.get(
    '/console/api/webhooks/:webhook_id',
    {
      config: { console: 'webhooks:read' },
      schema: {
        operationId: 'describeWebhook',
        summary: 'A webhook and how it fared in the last 24 hours',
        tags,
        params: WebhookPath,
        response: { 200: answer(ref(WebhookDetail)) },
      },
    },
    async (request) => ok(await describeWebhook(rt, memberOf(request), request.params.webhook_id)),
  )

  app.put(
    '/console/api/webhooks/:webhook_id',
    {
      config: { console: 'webhooks:write' },
      schema: {
        operationId: 'changeWebhook',
        summary: 'Change the given fields',
        tags,
        params: WebhookPath,
        body: ref(WebhookChanges),
        response: { 200: answer(ref(Webhook)) },
      },
    },
    async (request) => {
      const member = memberOf(request)
      const { webhook_id: id } = request.params
      return ok(await updateWebhook(rt, member.accountId, id, request.body, authorOf(member), barredFromTexts(member)))
    },
  )

  app.delete(
    '/console/api/webhooks/:webhook_id',
    {
      config: { console: 'webhooks:write' },
      schema: {
        operationId: 'removeWebhook',
        summary: 'Delete a webhook and cancel what is pending',
        tags,
        params: WebhookPath,
        response: { 200: answer(DeletedWebhook) },
      },
    },
    async (request) => {
      const member = memberOf(request)
      return ok(await deleteWebhook(rt, member.accountId, request.params.webhook_id, authorOf(member)))
    },
  )
  addWebhookActs(app, rt)
}

function addWebhookActs(app: App, rt: Runtime): void {
  app.post(
    '/console/api/webhooks/:webhook_id/verify',
    {
      config: { console: 'webhooks:write' },
      schema: {
        operationId: 'challengeWebhook',
        summary: 'Send a challenge now and wait for the answer',
        tags,
        params: WebhookPath,
        response: { 200: answer(ref(Webhook)) },
      },
    },
    async (request) => ok(await verifyWebhook(rt, memberOf(request).accountId, request.params.webhook_id)),
  )

  app.post(
    '/console/api/webhooks/:webhook_id/test',
    {
      config: { console: 'webhooks:write' },
      schema: {
        operationId: 'sendSampleEvent',
        summary: 'Deliver a sample event now',
        tags,
        params: WebhookPath,
        body: ref(WebhookTestRequest),
        response: { 200: answer(ref(WebhookTest)) },
      },
    },
    async (request) =>
      ok(await testWebhook(rt, memberOf(request).accountId, request.params.webhook_id, request.body.type)),
  )

  app.post(
    '/console/api/webhooks/:webhook_id/rotate-secret',
    {
      config: { console: 'webhooks:write', recent: true },
      schema: {
        operationId: 'rotateSigningSecret',
        summary: 'A new signing secret, shown this once',
        tags,
        params: WebhookPath,
        body: ref(RotateRequest),
        response: { 200: answer(ref(RotatedSecret)) },
      },
    },
    async (request) => {
      const member = memberOf(request)
      const { secret, overlap_seconds } = request.body
      const rotation = { secret: secret ?? null, overlap_seconds: overlap_seconds ?? null }
      const { webhook_id: id } = request.params
      return ok(await rotateSecret(rt, member.accountId, id, rotation, authorOf(member)))
    },
  )

  app.post(
    '/console/api/webhooks/:webhook_id/check-signature',
    {
      config: { console: 'webhooks:read' },
      schema: {
        operationId: 'checkSignature',
        summary: 'Whether a signature is one of this webhook',
        tags,
        params: WebhookPath,
        body: ref(SignatureToCheck),
        response: { 200: answer(ref(CheckedSignature)) },
      },
    },
    async (request) =>
      ok(await checkSignature(rt, memberOf(request).accountId, request.params.webhook_id, request.body)),
  )
}

function barredFromTexts(member: Member): AppError | null {
  return seesPersonalData(member) ? null : personalDataRefused(member, 'have message.received delivered')
}
