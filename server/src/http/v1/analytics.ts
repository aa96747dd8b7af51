import { getAnalytics } from '../../analytics/get-analytics.ts'
import { Analytics, AnalyticsQuery } from '../../contract/analytics.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import { type App, callerOf } from '../edge/context.ts'

export function addAnalyticsRoutes(app: App, rt: Runtime): void {
  app.get(
    '/v1/chat/analytics',
    {
      config: { access: { scope: 'analytics:read' } },
      schema: {
        operationId: 'getAnalytics',
        summary: 'Messages over time, by what you choose',
        tags: ['Analytics'],
        querystring: AnalyticsQuery,
        ...furtherChecks('timezone', 'group_by'),
        response: { 200: answer(ref(Analytics)) },
      },
    },
    async (request) => ok(await getAnalytics(rt, callerOf(request).accountId, request.query)),
  )
}
