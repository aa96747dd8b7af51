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
import { object, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const tags = ['Channel']
const params = object({ channel_id: Type.String({ maxLength: 64 }) })

/** Business numbers: connect, look after, choose, disconnect. */
export function addChannelRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/channels',
    {
      config: { console: 'channel:read' },
      schema: {
        operationId: 'listChannels',
        summary: 'Connected channels with their numbers',
        tags,
        response: { 200: answer(ref(ChannelList)) },
      },
    },
    async (request) => ok(await describeChannels(rt, memberOf(request))),
  )

  app.post(
    '/console/api/channels',
    {
      config: { console: 'channel:write' },
      schema: {
        operationId: 'connectChannel',
        summary: 'Connect a number, step by step',
        description: 'Every step is in the answer; nothing is kept when the credentials or the number do not work.',
        tags,
        body: ref(ChannelForm),
        response: { 200: answer(ref(ChannelChecked)) },
      },
    },
    async (request) => ok(await connectFromForm(rt, memberOf(request), request.body)),
  )

  app.post(
    '/console/api/channels/sandbox',
    {
      config: { console: 'channel:write' },
      schema: {
        operationId: 'connectSandbox',
        summary: 'Connect a number of the sandbox',
        tags,
        response: { 200: answer(ref(ChannelList)) },
      },
    },
    async (request) => ok(await connectSandbox(rt, memberOf(request))),
  )
  addChannelActions(app, rt)
}

/** What can be done with a connected channel or number. */
function addChannelActions(app: App, rt: Runtime): void {
  app.post(
    '/console/api/channels/:channel_id/check',
    {
      config: { console: 'channel:write' },
      schema: {
        operationId: 'checkChannel',
        summary: 'Look at a channel as connecting did',
        tags,
        params,
        body: ref(ChannelRepair),
        response: { 200: answer(ref(ChannelChecked)) },
      },
    },
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
    {
      config: { console: 'channel:write', recent: true },
      schema: {
        operationId: 'disconnectChannel',
        summary: 'Disconnect a channel; its credentials are forgotten',
        tags,
        params,
        body: ref(ChannelFarewell),
        response: { 200: answer(ref(CheckStep)) },
      },
    },
    async (request) =>
      ok(await disconnectTyped(rt, memberOf(request), request.params.channel_id, request.body.confirm)),
  )

  app.post(
    '/console/api/numbers/:number_id/default',
    {
      config: { console: 'channel:write' },
      schema: {
        operationId: 'setDefaultNumber',
        summary: 'The number messages leave from unless they say otherwise',
        tags,
        params: object({ number_id: Type.String({ maxLength: 64 }) }),
        response: { 200: answer(ref(ChannelList)) },
      },
    },
    async (request) => ok(await chooseDefault(rt, memberOf(request), request.params.number_id)),
  )
}
