import { Home, Progress } from '../../contract/console/home.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { describeHome } from '../../overview/describe-home.ts'
import { setupProgress } from '../../overview/setup-progress.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const tags = ['Home']

export function addHomeRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/home',
    {
      config: { console: 'analytics:read' },
      schema: {
        operationId: 'getHome',
        summary: 'Whether everything works, at a glance',
        tags,
        response: { 200: answer(ref(Home)) },
      },
    },
    async (request) => ok(await describeHome(rt, memberOf(request))),
  )

  app.get(
    '/console/api/progress',
    {
      config: { console: 'signed-in' },
      schema: {
        operationId: 'getProgress',
        summary: 'How far the setup is',
        tags,
        response: { 200: answer(ref(Progress)) },
      },
    },
    async (request) => ok(await setupProgress(rt, memberOf(request))),
  )
}
