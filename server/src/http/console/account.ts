import { describeLimits, describeUsage } from '../../access/keys/console-keys.ts'
import { Limits } from '../../contract/console/people.ts'
import { AccountName, AccountSettings, Usage } from '../../contract/console/records.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { ref } from '../../contract/schema.ts'
import { describeAccount, renameAccount } from '../../installation/account.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import { memberOf } from './console-access.ts'

const route = routesOf('Account')

/** The account, its plan, and how much of it is used. */
export function addAccountRoutes(app: App, rt: Runtime): void {
  const { gate } = app.access

  app.get(
    '/console/api/limits',
    route({
      config: { console: 'signed-in' },
      operationId: 'getLimits',
      summary: 'How much of the plan is used right now',
      response: { 200: answer(ref(Limits)) },
    }),
    async (request) => ok(await describeLimits(gate, memberOf(request))),
  )

  app.get(
    '/console/api/usage',
    route({
      config: { console: 'usage:read' },
      operationId: 'getUsage',
      summary: 'The plan, its limits, and use per hour and day',
      response: { 200: answer(ref(Usage)) },
    }),
    async (request) => ok(await describeUsage(rt, gate, memberOf(request))),
  )

  app.get(
    '/console/api/account',
    route({
      config: { console: 'signed-in' },
      operationId: 'getAccount',
      summary: 'The account and its settings',
      response: { 200: answer(ref(AccountSettings)) },
    }),
    async (request) => ok(await describeAccount(rt, memberOf(request))),
  )

  app.put(
    '/console/api/account',
    route({
      config: { console: 'account:write' },
      operationId: 'renameAccount',
      summary: 'Rename the account',
      body: ref(AccountName),
      response: { 200: answer(ref(AccountSettings)) },
    }),
    async (request) => ok(await renameAccount(rt, memberOf(request), request.body.name)),
  )
}
