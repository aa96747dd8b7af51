import Type from 'typebox'
import {
  NewTenant,
  TenantCreated,
  TenantDeletion,
  TenantDeletionPlanned,
  TenantList,
  TenantPlan,
  TenantQuery,
  TenantStatus,
} from '../../../contract/console/installation.ts'
import { Done } from '../../../contract/console/people.ts'
import { answer, ok } from '../../../contract/envelope.ts'
import { object, ref } from '../../../contract/schema.ts'
import { changeTenant, createTenant, describeTenants, planTenantDeletion } from '../../../installation/tenants.ts'
import type { Runtime } from '../../../runtime.ts'
import { type App, routesOf } from '../../edge/context.ts'
import { memberOf } from '../console-access.ts'

const route = routesOf('Installation')
const rule = 'installation:operate' as const
const params = object({ account_id: Type.String({ maxLength: 64 }) })
const done = ok({ done: true as const })

/** The accounts of the installation, and what an operator decides about them. */
export function addTenantRoutes(app: App, rt: Runtime): void {
  app.get(
    '/console/api/installation/accounts',
    route({
      config: { console: rule },
      operationId: 'listTenants',
      summary: 'The accounts with plan, use, health and last activity',
      querystring: TenantQuery,
      response: { 200: answer(ref(TenantList)) },
    }),
    async (request) => ok(await describeTenants(rt, request.query.after ?? '')),
  )

  app.post(
    '/console/api/installation/accounts',
    route({
      config: { console: rule, recent: true },
      operationId: 'createTenant',
      summary: 'Create an account; the link for its owner is shown once',
      body: ref(NewTenant),
      response: { 201: answer(ref(TenantCreated)) },
    }),
    async (request, reply) => {
      const created = await createTenant(rt, memberOf(request), request.body)
      reply.code(201)
      return ok(created)
    },
  )

  app.put(
    '/console/api/installation/accounts/:account_id/plan',
    route({
      config: { console: rule, recent: true },
      operationId: 'setTenantPlan',
      summary: 'Give an account another plan',
      params,
      body: ref(TenantPlan),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await changeTenant(rt, memberOf(request), request.params.account_id, { plan: request.body.plan })
      return done
    },
  )

  app.put(
    '/console/api/installation/accounts/:account_id/status',
    route({
      config: { console: rule, recent: true },
      operationId: 'setTenantStatus',
      summary: 'Suspend or resume an account; a planned deletion is taken back',
      params,
      body: ref(TenantStatus),
      response: { 200: answer(ref(Done)) },
    }),
    async (request) => {
      await changeTenant(rt, memberOf(request), request.params.account_id, { status: request.body.status })
      return done
    },
  )

  app.put(
    '/console/api/installation/accounts/:account_id/deletion',
    route({
      config: { console: rule, recent: true },
      operationId: 'planTenantDeletion',
      summary: 'Suspend an account now, and delete it after seven days',
      params,
      body: ref(TenantDeletion),
      response: { 200: answer(ref(TenantDeletionPlanned)) },
    }),
    async (request) =>
      ok(await planTenantDeletion(rt, memberOf(request), request.params.account_id, request.body.confirm)),
  )
}
