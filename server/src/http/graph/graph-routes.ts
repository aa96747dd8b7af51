import { createRepeatKeys } from '../../connections/repeat-keys.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { createConnectionMemory } from './connection-memory.ts'
import { addGraphBodies } from './graph-body.ts'
import { refuseAsGraph } from './graph-errors.ts'
import { addPassedCalls } from './passed-calls.ts'
import { addGraphSends } from './sends.ts'
import { addSetupCalls } from './setup-calls.ts'

/** Meta's dialect, for tools that know no other. None of the rules of /v1 about shapes, statuses and slashes hold here. */
export async function addGraphRoutes(app: App, rt: Runtime): Promise<void> {
  const tools = { rt, connectionOf: createConnectionMemory(rt), repeats: createRepeatKeys(rt) }
  app.addHook('onClose', () => tools.repeats.close())
  await app.register(
    async (scope) => {
      const graph = scope as App
      addGraphBodies(graph, rt)
      graph.setErrorHandler(async (error, request, reply) => {
        await refuseAsGraph(rt, error, request, reply)
        return reply
      })
      graph.setNotFoundHandler((request, reply) =>
        refuseAsGraph(rt, new AppError('endpoint_not_found', 'There is nothing here for this method.'), request, reply),
      )
      addGraphSends(graph, tools)
      addSetupCalls(graph, tools)
      addPassedCalls(graph, rt)
    },
    { prefix: '/graph' },
  )
}
