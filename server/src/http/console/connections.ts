import Type from 'typebox'
import { pauseCallback, removeCallback, resumeCallback, verifyCallback } from '../../connections/callback-address.ts'
import { switchAppSecret } from '../../connections/change-connection.ts'
import {
  changeFor,
  createFor,
  deleteFor,
  describeConnections,
  describeOne,
  prepareSecretFor,
  rotateFor,
  setCallbackFor,
  setOptionsFor,
  showSecrets,
} from '../../connections/console-connections.ts'
import { ConnectionOptions } from '../../contract/connections.ts'
import {
  ConnectionCallback,
  ConnectionList,
  ConnectionSecrets,
  ConsoleConnection,
  NewConnection,
  NewToken,
  WaivedCheck,
} from '../../contract/console/connections.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { object, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Connections')
const params = object({ connection_id: Type.String({ maxLength: 64 }) })
const root = '/console/api/connections'
const one = `${root}/:connection_id`
const reads = { console: 'connections:read' } as const
const writes = { console: 'connections:write' } as const
/** Shows a secret, or passes customers' messages on to a new address. */
const writesConfirmed = { console: 'connections:write', recent: true } as const
const shown = { 200: answer(ref(ConsoleConnection)) }

/** Tools that speak Meta's dialect. A token is in the answer that made it and in no other. */
export function addConnectionRoutes(app: App, rt: Runtime): void {
  app.get(
    root,
    route({
      config: reads,
      operationId: 'listConnections',
      summary: 'All connections of tools, oldest first',
      response: { 200: answer(ref(ConnectionList)) },
    }),
    async (request) => ok(await describeConnections(rt, memberOf(request))),
  )

  app.post(
    root,
    route({
      config: writesConfirmed,
      operationId: 'connectTool',
      summary: 'Connect a tool; its token is shown once only',
      body: ref(NewConnection),
      response: { 201: answer(ref(NewToken)) },
    }),
    async (request, reply) => {
      const created = await createFor(rt, memberOf(request), request.body)
      reply.code(201)
      return ok(created)
    },
  )

  app.get(
    one,
    route({ config: reads, operationId: 'describeConnection', summary: 'One connection', params, response: shown }),
    async (request) => ok(await describeOne(rt, memberOf(request), request.params.connection_id)),
  )

  app.put(
    `${one}/options`,
    route({
      config: writes,
      operationId: 'setConnectionOptions',
      summary: 'Change how a connection behaves',
      params,
      body: ref(ConnectionOptions),
      response: shown,
    }),
    async (request) => ok(await setOptionsFor(rt, memberOf(request), request.params.connection_id, request.body)),
  )

  app.delete(
    one,
    route({
      config: writes,
      operationId: 'deleteConnection',
      summary: 'End a connection and its token',
      params,
      response: { 200: answer(object({ deleted: Type.Boolean() })) },
    }),
    async (request) => ok(await deleteFor(rt, memberOf(request), request.params.connection_id)),
  )
  addSecretRoutes(app, rt)
  addCallbackRoutes(app, rt)
}

function addSecretRoutes(app: App, rt: Runtime): void {
  const secrets = { 200: answer(ref(ConnectionSecrets)) }
  app.post(
    `${one}/rotate`,
    route({
      config: writesConfirmed,
      operationId: 'rotateConnection',
      summary: 'Create a new token; the old one works for 24 hours',
      params,
      response: { 200: answer(ref(NewToken)) },
    }),
    async (request) => ok(await rotateFor(rt, memberOf(request), request.params.connection_id)),
  )

  app.post(
    `${one}/secrets`,
    route({
      config: writesConfirmed,
      operationId: 'showConnectionSecrets',
      summary: 'The app secret and the verify token',
      params,
      response: secrets,
    }),
    async (request) => ok(await showSecrets(rt, memberOf(request), request.params.connection_id)),
  )

  app.post(
    `${one}/prepare-secret`,
    route({
      config: writesConfirmed,
      operationId: 'prepareConnectionSecret',
      summary: 'Show the next app secret, which does not sign yet',
      params,
      response: secrets,
    }),
    async (request) => ok(await prepareSecretFor(rt, memberOf(request), request.params.connection_id)),
  )

  app.post(
    `${one}/switch-secret`,
    route({
      config: writes,
      operationId: 'switchConnectionSecret',
      summary: 'Sign with the prepared app secret from now on',
      params,
      response: shown,
    }),
    async (request) =>
      ok(
        await changeFor(rt, memberOf(request), request.params.connection_id, (stored, by) =>
          switchAppSecret(rt, stored, by),
        ),
      ),
  )
}

function addCallbackRoutes(app: App, rt: Runtime): void {
  app.put(
    `${one}/callback`,
    route({
      config: writesConfirmed,
      operationId: 'setConnectionCallback',
      summary: 'Set the callback address and verify it',
      params,
      body: ref(ConnectionCallback),
      response: shown,
    }),
    async (request) => ok(await setCallbackFor(rt, memberOf(request), request.params.connection_id, request.body)),
  )

  app.delete(
    `${one}/callback`,
    route({
      config: writes,
      operationId: 'removeConnectionCallback',
      summary: 'Pause callbacks to the tool',
      params,
      response: shown,
    }),
    async (request) =>
      ok(
        await changeFor(rt, memberOf(request), request.params.connection_id, (stored, by) =>
          removeCallback(rt, stored, by),
        ),
      ),
  )

  app.post(
    `${one}/callback/verify`,
    route({
      config: writes,
      operationId: 'verifyConnectionCallback',
      summary: 'Verify the callback address again',
      params,
      body: ref(WaivedCheck),
      response: shown,
    }),
    async (request) => {
      const waive = request.body.waive === true
      return ok(
        await changeFor(rt, memberOf(request), request.params.connection_id, (stored, by) =>
          verifyCallback(rt, stored, { ...by, waive }),
        ),
      )
    },
  )

  for (const [name, operationId, summary, act] of [
    ['pause', 'pauseConnectionCallback', 'Pass callbacks on later', pauseCallback],
    ['resume', 'resumeConnectionCallback', 'Resume callbacks to the tool', resumeCallback],
  ] as const) {
    app.post(
      `${one}/callback/${name}`,
      route({ config: writes, operationId, summary, params, response: shown }),
      async (request) =>
        ok(await changeFor(rt, memberOf(request), request.params.connection_id, (stored, by) => act(rt, stored, by))),
    )
  }
}
