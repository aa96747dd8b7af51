import Type from 'typebox'
import { changeAccess, createKeyFor, describeKeys, revokeKeyFor, rotateKeyFor } from '../../access/keys/console-keys.ts'
import { ApiKeyList, ConsoleApiKey, CreatedApiKey, KeyAccess, NewApiKey } from '../../contract/console/keys.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { object, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('API keys')
const params = object({ key_id: Type.String({ maxLength: 64 }) })

/** API keys. A secret is in the answer that made it and in no other. */
export function addKeyRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/keys',
    route({
      config: { console: 'keys:read' },
      operationId: 'listApiKeys',
      summary: 'All API keys, newest first',
      response: { 200: answer(ref(ApiKeyList)) },
    }),
    async (request) => ok({ keys: await describeKeys(rt, memberOf(request)) }),
  )

  app.post(
    '/console/api/keys',
    route({
      config: { console: 'keys:write' },
      operationId: 'createApiKey',
      summary: 'Create an API key; its secret is shown once only',
      body: ref(NewApiKey),
      response: { 201: answer(ref(CreatedApiKey)) },
    }),
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
    route({
      config: { console: 'keys:write' },
      operationId: 'changeApiKeyAccess',
      summary: 'Change name, scopes and addresses of an API key',
      params,
      body: ref(KeyAccess),
      response: { 200: answer(ref(ConsoleApiKey)) },
    }),
    async (request) => ok(await changeAccess(rt, memberOf(request), request.params.key_id, request.body)),
  )

  app.post(
    '/console/api/keys/:key_id/rotate',
    route({
      config: { console: 'keys:write' },
      operationId: 'rotateApiKey',
      summary: 'Create a new secret for an API key; the old one works for 24 hours',
      params,
      response: { 200: answer(ref(CreatedApiKey)) },
    }),
    async (request) => ok(await rotateKeyFor(rt, memberOf(request), request.params.key_id)),
  )

  app.post(
    '/console/api/keys/:key_id/revoke',
    route({
      config: { console: 'keys:write' },
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key and every token of it',
      params,
      response: { 200: answer(ref(ConsoleApiKey)) },
    }),
    async (request) => ok(await revokeKeyFor(rt, memberOf(request), request.params.key_id)),
  )
}
