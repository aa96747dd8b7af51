import { createAddressNotes, requirePace } from '../../connections/pass-call.ts'
import { createRepeatKeys } from '../../connections/repeat-keys.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { addCallbackCalls } from './callback-calls.ts'
import { createConnectionMemory } from './connection-memory.ts'
import { queryToken } from './graph-address.ts'
import { addGraphBodies } from './graph-body.ts'
import { refuseAsGraph } from './graph-errors.ts'
import { addGraphMedia } from './media.ts'
import { addPassedCalls } from './passed-calls.ts'
import { addGraphSends } from './sends.ts'
import { addSetupCalls } from './setup-calls.ts'
import { addResumableUploads } from './uploads.ts'

/** Meta's dialect, for tools that know no other. None of the rules of /v1 about shapes, statuses and slashes hold here. */
export async function addGraphRoutes(app: App, rt: Runtime): Promise<void> {
  const tools = { rt, connectionOf: createConnectionMemory(rt), repeats: createRepeatKeys(rt) }
  const noteAddress = createAddressNotes(rt)
  app.addHook('onClose', () => tools.repeats.close())
  await app.register(
    async (scope) => {
      const graph = scope as App
      addGraphBodies(graph, rt)
      graph.decorateRequest('graphCode', 0)
      graph.addHook('onResponse', (request, _reply, done) => {
        const route = request.routeOptions.url ?? 'unknown'
        rt.metrics.graphRequests.inc({ route, code: String(request.graphCode) })
        done()
      })
      graph.addHook('preHandler', async (request) => {
        if (!request.checked) return
        const connection = await tools.connectionOf(request)
        if (queryToken(request) !== null) noteAddress(connection.id, request.checked.epoch)
        await requirePace(rt, connection)
      })
      graph.setErrorHandler(async (error, request, reply) => {
        await refuseAsGraph(rt, error, request, reply)
        return reply
      })
      graph.setNotFoundHandler((request, reply) =>
        refuseAsGraph(rt, new AppError('endpoint_not_found', 'There is nothing here for this method.'), request, reply),
      )
      addGraphSends(graph, tools)
      addSetupCalls(graph, tools)
      addCallbackCalls(graph, tools)
      addGraphMedia(graph, tools)
      addResumableUploads(graph, tools)
      addPassedCalls(graph, tools)
    },
    { prefix: '/graph' },
  )
}
