import { findRequests } from '../../access/request-log.ts'
import { RequestList, RequestQuery } from '../../contract/console/records.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('API requests')

export function addRequestLogRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/requests',
    route({
      config: { console: 'logs:read' },
      operationId: 'listRequests',
      summary: 'Calls to the API, newest first, including rejected ones',
      querystring: RequestQuery,
      response: { 200: answer(ref(RequestList)) },
    }),
    async (request) => {
      const { limit = 25, cursor = null, ...filter } = request.query
      return ok(await findRequests(rt, memberOf(request), filter, { limit, cursor }))
    },
  )
}
