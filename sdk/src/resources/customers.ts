import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { List, type Pagination, pageOf } from '../http/pagination.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Filters, Input } from '../http/wire.ts'

/** A customer in a list. */
export type CustomerSummary = Answer<'CustomerListItem'>

/** A customer, with what each of your numbers knows of them. */
export type Customer = Answer<'Customer'>

/** Which customers, and how many of them at once. */
export type CustomerFilters = Filters<'listCustomers'>

/** What a customer said about marketing messages. */
export type CustomerPreferenceRequest = Input<'CustomerPreferenceRequest'>

/** People who wrote or were written to, whichever addresses they use. */
export class Customers {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists customers, the newest activity first. With `address`, the customer who has it, or none. */
  list(filters: CustomerFilters = {}, options?: RequestOptions): List<CustomerSummary> {
    type Data = { customers: CustomerSummary[]; pagination: Pagination }
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: '/v1/chat/customers', query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.customers, data.pagination))
    return new List(page, filters.cursor)
  }

  /** The customer of an address, known or not. Safe to repeat. */
  create(request: Input<'CustomerRequest'>, options?: RequestOptions): ApiPromise<Customer> {
    return this.#transport.send({ method: 'POST', path: '/v1/chat/customers', body: request }, options)
  }

  /** A customer by id, also by one that they had before two were found to be one. */
  get(customerId: string, options?: RequestOptions): ApiPromise<Customer> {
    return this.#transport.send({ method: 'GET', path: path`/v1/chat/customers/${customerId}` }, options)
  }

  /** Records or withdraws consent to marketing messages, for all of your numbers or one of them. */
  setPreference(
    customerId: string,
    request: CustomerPreferenceRequest,
    options?: RequestOptions,
  ): ApiPromise<Customer> {
    const to = path`/v1/chat/customers/${customerId}/preference`
    return this.#transport.send({ method: 'PUT', path: to, body: request }, options)
  }
}
