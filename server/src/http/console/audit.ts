import { AuditList, AuditQuery } from '../../contract/console/records.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { readAuditLog } from '../../overview/console-audit.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Audit log')

export function addAuditRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/audit',
    route({
      config: { console: 'audit:read' },
      operationId: 'listAuditLog',
      summary: 'Audit log, newest first',
      querystring: AuditQuery,
      response: { 200: answer(ref(AuditList)) },
    }),
    async (request) => {
      const { limit = 25, cursor = null, ...filter } = request.query
      return ok(await readAuditLog(rt, memberOf(request), filter, { limit, cursor }))
    },
  )
}
