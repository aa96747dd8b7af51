import { getAnalytics } from '../../analytics/get-analytics.ts'
import { Analytics, AnalyticsQuery } from '../../contract/analytics.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

/** The same figures as the API gives, for people. */
export function addConsoleAnalyticsRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/analytics',
    {
      config: { console: 'analytics:read' },
      schema: {
        operationId: 'readAnalytics',
        summary: 'Messages over time, by what you choose',
        tags: ['Analytics'],
        querystring: AnalyticsQuery,
        response: { 200: answer(ref(Analytics)) },
      },
    },
    async (request) => ok(await getAnalytics(rt, memberOf(request).accountId, request.query)),
  )
}
