import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { List, type Pagination, pageOf } from '../http/pagination.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Filters, Input } from '../http/wire.ts'

/** A customer on the block list of a number. */
export type BlockedCustomer = Answer<'BlockedList'>['blocked'][number]

/** Whose block list, and how much of it at once. */
export type BlockedFilters = Filters<'listBlocked'>

/** Whom to block: up to 1,000 customers who wrote in the last 24 hours. */
export type BlockRequest = Input<'BlockRequest'>

/** Answer of `blocked.add()`: `failed` has those who could not be blocked, with the reason. */
export type BlockResult = Answer<'BlockResult'>

/** Answer of `blocked.remove()`. */
export type UnblockedCustomer = Answer<'UnblockedCustomer'>

/** Customers who cannot write to a number, and cannot be written to. */
export class Blocked {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists blocked customers. A change of the list ends the paging with code `invalid_cursor`: start again. */
  list(filters: BlockedFilters = {}, options?: RequestOptions): List<BlockedCustomer> {
    type Data = { blocked: BlockedCustomer[]; pagination: Pagination }
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: '/v1/chat/blocked', query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.blocked, data.pagination))
    return new List(page, filters.cursor)
  }

  /** Blocks customers, each by itself. Rejects with the reason of the first when none could be blocked. */
  add(request: BlockRequest, options?: RequestOptions): ApiPromise<BlockResult> {
    return this.#transport.send({ method: 'POST', path: '/v1/chat/blocked', body: request }, options)
  }

  /** Unblocks a customer; safe to repeat. */
  remove(
    customer: string,
    filters: Filters<'unblockCustomer'> = {},
    options?: RequestOptions,
  ): ApiPromise<UnblockedCustomer> {
    const query = { ...filters }
    return this.#transport.send({ method: 'DELETE', path: path`/v1/chat/blocked/${customer}`, query }, options)
  }
}
