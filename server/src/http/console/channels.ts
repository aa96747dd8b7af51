import Type from 'typebox'
import {
  checkAgain,
  chooseDefault,
  connectFromForm,
  connectSandbox,
  describeChannels,
  disconnectTyped,
} from '../../connect/console-channels.ts'
import {
  ChannelChecked,
  ChannelFarewell,
  ChannelForm,
  ChannelList,
  ChannelRepair,
  CheckStep,
} from '../../contract/console/channel.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ProfilePhotoQuery } from '../../contract/profile.ts'
import { object, ref } from '../../contract/schema.ts'
import { readPhoto } from '../../profile/profile.ts'
import type { Runtime } from '../../runtime.ts'
import { streamAnswer } from '../edge/body/read-body.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Channel')
const params = object({ channel_id: Type.String({ maxLength: 64 }) })

/** Business numbers: connect, look after, choose, disconnect. */
export function addChannelRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/channels',
    route({
      config: { console: 'channel:read' },
      operationId: 'listChannels',
      summary: 'Connected channels with their numbers',
      response: { 200: answer(ref(ChannelList)) },
    }),
    async (request) => ok(await describeChannels(rt, memberOf(request))),
  )

  app.post(
    '/console/api/channels',
    route({
      config: { console: 'channel:write' },
      operationId: 'connectChannel',
      summary: 'Connect a number, step by step',
      description: 'The response has every step; nothing is stored when the credentials or the number do not work.',
      body: ref(ChannelForm),
      response: { 200: answer(ref(ChannelChecked)) },
    }),
    async (request) => ok(await connectFromForm(rt, memberOf(request), request.body)),
  )

  app.post(
    '/console/api/channels/sandbox',
    route({
      config: { console: 'channel:write' },
      operationId: 'connectSandbox',
      summary: 'Connect a number of the sandbox',
      response: { 200: answer(ref(ChannelList)) },
    }),
    async (request) => ok(await connectSandbox(rt, memberOf(request))),
  )
  addChannelActions(app, rt)

  app.get(
    '/console/api/profile/photo',
    route({
      config: { console: 'profile:read' },
      operationId: 'readProfilePhoto',
      summary: 'The photo of the business profile',
      querystring: ProfilePhotoQuery,
      response: { 200: streamAnswer('*/*', 'The photo, with its own `Content-Type`.', 'binary') },
    }),
    async (request, reply) => {
      const owner = { accountId: memberOf(request).accountId, phoneNumberIds: null }
      const { bytes, mimeType } = await readPhoto(rt, owner, request.query.from)
      return reply
        .header('cache-control', 'private, max-age=300')
        .header('content-type', mimeType)
        .header('content-security-policy', 'sandbox')
        .send(bytes)
    },
  )
}

/** Operations on a connected channel or number. */
function addChannelActions(app: App, rt: Runtime): void {
  app.post(
    '/console/api/channels/:channel_id/check',
    route({
      config: { console: 'channel:write' },
      operationId: 'checkChannel',
      summary: 'Check a connected channel',
      params,
      body: ref(ChannelRepair),
      response: { 200: answer(ref(ChannelChecked)) },
    }),
    async (request) =>
      ok(
        await checkAgain(rt, memberOf(request), request.params.channel_id, {
          repair: request.body.repair ?? false,
          takeOver: request.body.take_over ?? false,
        }),
      ),
  )

  app.post(
    '/console/api/channels/:channel_id/disconnect',
    route({
      config: { console: 'channel:write', recent: true },
      operationId: 'disconnectChannel',
      summary: 'Disconnect a channel and delete its credentials',
      params,
      body: ref(ChannelFarewell),
      response: { 200: answer(ref(CheckStep)) },
    }),
    async (request) =>
      ok(await disconnectTyped(rt, memberOf(request), request.params.channel_id, request.body.confirm)),
  )

  app.post(
    '/console/api/numbers/:number_id/default',
    route({
      config: { console: 'channel:write' },
      operationId: 'setDefaultNumber',
      summary: 'Set the default number for messages',
      params: object({ number_id: Type.String({ maxLength: 64 }) }),
      response: { 200: answer(ref(ChannelList)) },
    }),
    async (request) => ok(await chooseDefault(rt, memberOf(request), request.params.number_id)),
  )
}
