import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Filters, Input } from '../http/wire.ts'

/** Who replies in a conversation. */
export type ConversationControl = Answer<'ConversationControl'>

/** What to do with a conversation. */
export type ControlRequest = Input<'ControlRequest'>

/** Conversations of a number that has several responders. */
export class Conversations {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
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
