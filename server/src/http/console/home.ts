import { Home, Progress } from '../../contract/console/home.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { describeHome, setupProgress } from '../../overview/describe-home.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Home')

export function addHomeRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/home',
    route({
      config: { console: 'analytics:read' },
      operationId: 'getHome',
      summary: 'System status at a glance',
      response: { 200: answer(ref(Home)) },
    }),
    async (request) => ok(await describeHome(rt, memberOf(request))),
  )

  app.get(
    '/console/api/progress',
    route({
      config: { console: 'signed-in' },
      operationId: 'getProgress',
      summary: 'Progress of the setup',
      response: { 200: answer(ref(Progress)) },
    }),
    async (request) => ok(await setupProgress(rt, memberOf(request))),
  )
}
