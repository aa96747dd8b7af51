import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Input } from '../http/wire.ts'

/** A spending limit per day or month, and how much of it is used. */
export type Budget = Answer<'Budget'>

/** A new budget. */
export type BudgetRequest = Input<'BudgetRequest'>

/** What is left out stays. */
export type BudgetChange = Input<'BudgetChange'>

/** Budgets of the account, at most 20. */
export class Budgets {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All of them, the oldest first. */
  list(options?: RequestOptions): ApiPromise<Answer<'BudgetList'>> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/budgets' }, options)
  }

  /** Sets a budget. Rejects with `budget_needs_rates` where no rate card of its currency holds today. */
  create(request: BudgetRequest, options?: RequestOptions): ApiPromise<Budget> {
    return this.#transport.send({ method: 'POST', path: '/v1/chat/budgets', body: request }, options)
  }

  /** Changes name, limit, percentage, stop or exempt categories. */
  update(budgetId: string, change: BudgetChange, options?: RequestOptions): ApiPromise<Budget> {
    return this.#transport.send({ method: 'PUT', path: path`/v1/chat/budgets/${budgetId}`, body: change }, options)
  }

  /** Deletes a budget; nothing is limited by it from now on. */
  delete(budgetId: string, options?: RequestOptions): ApiPromise<Answer<'BudgetDeleted'>> {
    return this.#transport.send({ method: 'DELETE', path: path`/v1/chat/budgets/${budgetId}` }, options)
  }
}
