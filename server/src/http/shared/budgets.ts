import { changeBudget, createBudget, listBudgets, removeBudget } from '../../budgets/budgets.ts'
import {
  Budget,
  BudgetChange,
  BudgetDeleted,
  BudgetList,
  BudgetPath,
  BudgetRequest,
} from '../../contract/costs/budgets.ts'
import { answer, ok } from '../../contract/envelope.ts'
import { furtherChecks, ref } from '../../contract/schema.ts'
import type { Runtime } from '../../runtime.ts'
import type { App } from '../edge/context.ts'
import { routesOf } from '../edge/context.ts'
import type { Mount } from './mount.ts'

const route = routesOf('Costs')

/** Budgets of an account. */
export function addBudgetRoutes(app: App, rt: Runtime, mount: Mount): void {
  app.get(
    `${mount.chat}/budgets`,
    route({
      config: mount.may('costs:read'),
      operationId: 'listBudgets',
      summary: 'List budgets',
      response: { 200: answer(ref(BudgetList)) },
    }),
    async (request) => ok(await listBudgets(rt, mount.principalOf(rt, request).accountId)),
  )

  app.post(
    `${mount.chat}/budgets`,
    route({
      config: mount.may('budgets:write'),
      operationId: 'createBudget',
      summary: 'Set a budget',
      description:
        "Every send reserves its maximum cost; after delivery, Meta's charge replaces the reservation. A send over the limit is rejected with `budget_exceeded`.",
      body: ref(BudgetRequest),
      ...furtherChecks('limit', 'currency'),
      response: { 200: answer(ref(Budget)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      return ok(await createBudget(rt, principal.accountId, request.body, await principal.author()))
    },
  )

  app.put(
    `${mount.chat}/budgets/:budget_id`,
    route({
      config: mount.may('budgets:write'),
      operationId: 'updateBudget',
      summary: 'Change a budget',
      params: BudgetPath,
      body: ref(BudgetChange),
      ...furtherChecks('limit'),
      response: { 200: answer(ref(Budget)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const change = { ...request.body, id: request.params.budget_id }
      return ok(await changeBudget(rt, principal.accountId, change, await principal.author()))
    },
  )

  app.delete(
    `${mount.chat}/budgets/:budget_id`,
    route({
      config: mount.may('budgets:write'),
      operationId: 'deleteBudget',
      summary: 'Delete a budget',
      params: BudgetPath,
      response: { 200: answer(ref(BudgetDeleted)) },
    }),
    async (request) => {
      const principal = mount.principalOf(rt, request)
      const { budget_id: id } = request.params
      return ok(await removeBudget(rt, principal.accountId, id, await principal.author()))
    },
  )
}
