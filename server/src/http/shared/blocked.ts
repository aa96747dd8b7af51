import {
  BlockedList,
  BlockedPath,
  BlockedQuery,
  BlockRequest,
  BlockResult,
  Unblocked,
  UnblockQuery,
} from '../../contract/blocked.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import { blockCustomers, listBlocked, unblockCustomer } from '../../messages/blocked.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Blocked customers')

/** The block list of a number. */
export function addBlockedRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/blocked`,
    route({
      config: mount.may('blocked:read'),
      operationId: 'listBlocked',
      summary: 'List the blocked customers of a number',
      description: 'Without the scope `messages:read`, numbers have only their first and last digits.',
      querystring: BlockedQuery,
      ...furtherChecks('from'),
      response: { 200: answer(ref(BlockedList)) },
    }),
    async (request) => {
      const { from = null, limit = 25, cursor = null } = request.query
      return ok(await listBlocked(rt, mount.principalOf(rt, request), { from, limit, cursor }))
    },
  )

  app.post(
    `${mount.chat}/blocked`,
    route({
      config: mount.may('blocked:write'),
      operationId: 'blockCustomers',
      summary: 'Block customers who wrote in the last 24 hours',
      description:
        'Blocked customers cannot write to the number, do not see it online, and cannot be written to. Each customer is handled separately: `failed` names those who could not be blocked. When none could, the response is the error of the first. Safe to repeat.',
      body: ref(BlockRequest),
      ...furtherChecks('from', 'customers'),
      response: { 200: answer(ref(BlockResult)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { from = null, customers } = request.body
      return ok(await blockCustomers(rt, principal, { from, customers }, await principal.author()))
    },
  )

  app.delete(
    `${mount.chat}/blocked/:customer`,
    route({
      config: mount.may('blocked:write'),
      operationId: 'unblockCustomer',
      summary: 'Unblock a customer',
      params: BlockedPath,
      querystring: UnblockQuery,
      ...furtherChecks('from', 'customer'),
      response: { 200: answer(ref(Unblocked)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const wanted = { from: request.query.from ?? null, customer: request.params.customer }
      return ok(await unblockCustomer(rt, principal, wanted, await principal.author()))
    },
  )
}
