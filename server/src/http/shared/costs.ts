import { getCosts } from '../../analytics/get-costs.ts'
import { Costs, CostsQuery } from '../../contract/costs/costs.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Costs')

export function addCostRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/costs`,
    route({
      config: mount.may('costs:read'),
      operationId: 'getCosts',
      summary: 'Get what messages cost',
      description:
        "Cost of delivered messages, by the imported rate cards. Without a card, there are counts but no amounts. Taxes, and partners' fees and discounts, are not included.",
      querystring: CostsQuery,
      ...furtherChecks('from', 'to', 'group_by'),
      response: { 200: answer(ref(Costs)) },
    }),
    async (request) => ok(await getCosts(rt, mount.principalOf(rt, request).accountId, request.query)),
  )
}
