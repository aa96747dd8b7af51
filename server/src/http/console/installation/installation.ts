import { settingsInForce } from '../../../config/config.ts'
import {
  InstallationHealth,
  OperatorAudit,
  OperatorAuditQuery,
  SettingList,
  TableSizes,
} from '../../../contract/console/installation.ts'
import { answer, ok } from '../../../contract/envelope.ts'
import { ref } from '../../../contract/schema.ts'
import { describeAuditOfAll } from '../../../installation/audit-of-all.ts'
import { describeInstallation, describeTables } from '../../../installation/troubles.ts'
import type { Runtime } from '../../../runtime.ts'
import { type App, routesOf } from '../../edge/context.ts'
import { addTenantRoutes } from './tenants.ts'

const route = routesOf('Installation')
const rule = 'installation:operate' as const

/** For operators: counts and states of all accounts, and what an operator decides about them. Nothing of a customer. */
export function addInstallationRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/installation',
    route({
      config: { console: rule },
      operationId: 'getInstallation',
      summary: 'Problems, queues, database and disk',
      response: { 200: answer(ref(InstallationHealth)) },
    }),
    async () => ok(await describeInstallation(rt)),
  )

  app.get(
    '/console/api/installation/settings',
    route({
      config: { console: rule },
      operationId: 'listSettings',
      summary: 'The settings of this node as they are in force',
      response: { 200: answer(ref(SettingList)) },
    }),
    async () => ok({ settings: settingsInForce(rt.config) }),
  )
  app.get(
    '/console/api/installation/tables',
    route({
      config: { console: rule },
      operationId: 'listTableSizes',
      summary: 'What each table takes in the database',
      response: { 200: answer(ref(TableSizes)) },
    }),
    async () => ok(await describeTables(rt)),
  )

  app.get(
    '/console/api/installation/audit',
    route({
      config: { console: rule },
      operationId: 'listAuditOfAll',
      summary: 'Audit log of all accounts, newest first',
      description: 'Without names of people, targets and details.',
      querystring: OperatorAuditQuery,
      response: { 200: answer(ref(OperatorAudit)) },
    }),
    async (request) => ok(await describeAuditOfAll(rt, request.query.before)),
  )
  addTenantRoutes(app, rt)
}
