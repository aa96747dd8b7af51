import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { Answer, Input } from '../http/wire.ts'

/** A text that agents use often. */
export type SavedReply = Answer<'SavedReply'>

/** A shortcut and its text; `{{name}}` becomes the name of the customer. */
export type SavedReplyRequest = Input<'SavedReplyRequest'>

/** Saved replies of the account, at most 200. */
export class SavedReplies {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** All of them, by shortcut. */
  list(options?: RequestOptions): ApiPromise<Answer<'SavedReplyList'>> {
    return this.#transport.send({ method: 'GET', path: '/v1/chat/saved-replies' }, options)
  }

  /** Saves a reply. Rejects with `saved_reply_limit_reached` when the account has 200. */
  create(request: SavedReplyRequest, options?: RequestOptions): ApiPromise<SavedReply> {
    return this.#transport.send({ method: 'POST', path: '/v1/chat/saved-replies', body: request }, options)
  }

  /** Changes shortcut and text. */
  update(savedReplyId: string, request: SavedReplyRequest, options?: RequestOptions): ApiPromise<SavedReply> {
    const to = path`/v1/chat/saved-replies/${savedReplyId}`
    return this.#transport.send({ method: 'PUT', path: to, body: request }, options)
  }

  /** Deletes a saved reply. */
  delete(savedReplyId: string, options?: RequestOptions): ApiPromise<Answer<'SavedReplyDeleted'>> {
    return this.#transport.send({ method: 'DELETE', path: path`/v1/chat/saved-replies/${savedReplyId}` }, options)
  }
}
