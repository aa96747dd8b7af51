import { getAnalytics } from '../../analytics/get-analytics.ts'
import { Analytics, AnalyticsQuery } from '../../contract/analytics.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Analytics')

export function addAnalyticsRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/analytics`,
    route({
      config: mount.may('analytics:read'),
      operationId: 'getAnalytics',
      summary: 'Get messaging analytics',
      description: 'Counts messages over time, grouped as you choose.',
      querystring: AnalyticsQuery,
      ...furtherChecks('timezone', 'group_by', 'limit_groups'),
      response: { 200: answer(ref(Analytics)) },
    }),
    async (request) => {
      const { accountId, seesCosts } = mount.principalOf(rt, request)
      return ok(await getAnalytics(rt, accountId, request.query, { seesCosts }))
    },
  )
}
