import Type from 'typebox'
import { changeAccess, createKeyFor, describeKeys, revokeKeyFor, rotateKeyFor } from '../../access/keys/console-keys.ts'
import { ApiKeyList, ConsoleApiKey, CreatedApiKey, KeyAccess, NewApiKey } from '../../contract/console/keys.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { object, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const tags = ['API keys']
const params = object({ key_id: Type.String({ maxLength: 64 }) })

/** API keys. A secret is in the answer that made it and in no other. */
export function addKeyRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/keys',
    {
      config: { console: 'keys:read' },
      schema: {
        operationId: 'listApiKeys',
        summary: 'All API keys, newest first',
        tags,
        response: { 200: answer(ref(ApiKeyList)) },
      },
    },
    async (request) => ok({ keys: await describeKeys(rt, memberOf(request)) }),
  )

  app.post(
    '/console/api/keys',
    {
      config: { console: 'keys:write' },
      schema: {
        operationId: 'createApiKey',
        summary: 'Create an API key; its secret is shown once only',
        tags,
        body: ref(NewApiKey),
        response: { 201: answer(ref(CreatedApiKey)) },
      },
    },
    async (request, reply) => {
      const created = await createKeyFor(rt, memberOf(request), request.body)
      reply.code(201)
      return ok(created)
    },
  )
  addKeyChanges(app, rt)
}

/** Changes of one key. */
function addKeyChanges(app: App, rt: Runtime): void {
  app.put(
    '/console/api/keys/:key_id',
    {
      config: { console: 'keys:write' },
      schema: {
        operationId: 'changeApiKeyAccess',
        summary: 'Change name, scopes and addresses of an API key',
        tags,
        params,
        body: ref(KeyAccess),
        response: { 200: answer(ref(ConsoleApiKey)) },
      },
    },
    async (request) => ok(await changeAccess(rt, memberOf(request), request.params.key_id, request.body)),
  )

  app.post(
    '/console/api/keys/:key_id/rotate',
    {
      config: { console: 'keys:write' },
      schema: {
        operationId: 'rotateApiKey',
        summary: 'Give an API key a second secret; the first works 24 hours longer',
        tags,
        params,
        response: { 200: answer(ref(CreatedApiKey)) },
      },
    },
    async (request) => ok(await rotateKeyFor(rt, memberOf(request), request.params.key_id)),
  )

  app.post(
    '/console/api/keys/:key_id/revoke',
    {
      config: { console: 'keys:write' },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key and every token of it',
        tags,
        params,
        response: { 200: answer(ref(ConsoleApiKey)) },
      },
    },
    async (request) => ok(await revokeKeyFor(rt, memberOf(request), request.params.key_id)),
  )
}
