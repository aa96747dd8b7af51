import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { List, type Pagination, pageOf } from '../http/pagination.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Filters, Input } from '../http/wire.ts'

/** What is written with a customer, and who of your team replies. */
export type Conversation = Answer<'Conversation'>

/** Which conversations, in which order, and how many of them at once. */
export type ConversationFilters = Filters<'listConversations'>

/** Who replies to the customer from now on. */
export type AssigneeChange = Input<'AssigneeChange'>

/** Who replies in a conversation. */
export type ConversationControl = Answer<'ConversationControl'>

/** What to do with a conversation. */
export type ControlRequest = Input<'ControlRequest'>

/** The inbox of your team, and conversations of a number that has several responders. */
export class Conversations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists conversations by their last activity; with `order: 'waiting'`, customers without a reply, the longest first. */
  list(filters: ConversationFilters = {}, options?: RequestOptions): List<Conversation> {
    type Data = { conversations: Conversation[]; pagination: Pagination }
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: '/v1/chat/conversations', query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.conversations, data.pagination))
    return new List(page, filters.cursor)
  }

  /** The conversation with a customer, by id, phone number or user id. */
  get(customerId: string, options?: RequestOptions): ApiPromise<Conversation> {
    return this.#transport.send({ method: 'GET', path: path`/v1/chat/conversations/${customerId}` }, options)
  }

  /** Gives it to a person or to nobody; with `ifAssignee` only while it has the one you saw. */
  assign(customerId: string, change: AssigneeChange, options?: RequestOptions): ApiPromise<Conversation> {
    const to = path`/v1/chat/conversations/${customerId}/assignee`
    return this.#transport.send({ method: 'PUT', path: to, body: change }, options)
  }

  /** Closes it until the customer writes again. Safe to repeat. */
  close(customerId: string, options?: RequestOptions): ApiPromise<Conversation> {
    return this.#transport.send({ method: 'POST', path: path`/v1/chat/conversations/${customerId}/close` }, options)
  }

  /** Opens it again. Safe to repeat. */
  reopen(customerId: string, options?: RequestOptions): ApiPromise<Conversation> {
    return this.#transport.send({ method: 'POST', path: path`/v1/chat/conversations/${customerId}/reopen` }, options)
  }

  /** Who can be assigned. */
  assignees(options?: RequestOptions): ApiPromise<Answer<'AssigneeList'>> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/assignees' }, options)
  }

  /** Who handles a conversation, as far as Meta has told. */
  control(
    customerId: string,
    filters: Filters<'getConversationControl'> = {},
    options?: RequestOptions,
  ): ApiPromise<ConversationControl> {
    const query = { ...filters }
    return this.#transport.send(
      { method: 'GET', path: path`/v1/chat/conversations/${customerId}/control`, query },
      options,
    )
  }

  /** Passes, releases or takes a conversation. Never repeat it after `control_outcome_unknown` without looking first. */
  setControl(customerId: string, request: ControlRequest, options?: RequestOptions): ApiPromise<ConversationControl> {
    return this.#transport.send(
      { method: 'POST', path: path`/v1/chat/conversations/${customerId}/control`, body: request },
      options,
    )
  }
}
