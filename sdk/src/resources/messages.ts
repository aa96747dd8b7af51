import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { List, type Pagination, pageOf } from '../http/pagination.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type { InteractiveMessage } from './interactive-types.ts'
import type {
  CanceledMessage,
  CanceledMessages,
  ContactsMessage,
  DryRun,
  LocationMessage,
  MarkedRead,
  MarkReadParams,
  MediaMessage,
  Message,
  MessageFilters,
  MessageSummary,
  ReactionMessage,
  SentMessage,
  SentTemplate,
  SentText,
  StickerMessage,
  TemplateMessage,
  TextMessage,
} from './message-types.ts'
import { expandBody } from './template-components.ts'

/** Options of a send. */
export interface SendOptions extends RequestOptions {
  /** Checks everything and sends nothing; the answer is a `DryRun`. */
  dryRun?: boolean
}

/** Whether it is a dry run decides what the send resolves to. */
type MaybeDry<Dry extends boolean> = SendOptions & { dryRun?: Dry }
/** What a send resolves to: what was sent, or what would have been. */
export type Outcome<Dry extends boolean, Sent> = Dry extends true ? DryRun : Sent

/** The last part of the path. */
type Kind = 'send' | 'template' | 'media' | 'interactive' | 'location' | 'contacts' | 'sticker' | 'reaction'

/**
 * Sends messages and follows them. A send resolves when Meta has accepted the message; `message.delivered` and
 * `message.read` follow as events. Lost answers are safe: the client repeats them with the same idempotency key.
 */
export class Messages {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Sends a text. Customers can get free text only within 24 hours of their last message; otherwise this rejects with
   * a `ChannelError` of code `customer_window_closed`, unless `fallback` names a template to send instead.
   */
  send<const Dry extends boolean = false>(
    message: TextMessage,
    options?: MaybeDry<Dry>,
  ): ApiPromise<Outcome<Dry, SentText>> {
    const { fallback, ...text } = message
    return this.#send('send', fallback ? { ...text, fallback: expandBody(fallback) } : text, options)
  }

  /**
   * Sends an approved template.
   *
   * ```ts
   * await postern.messages.sendTemplate(
   *   { to, template: 'order_confirmation', language: 'en_US', body: ['Ana', 'A-1001', '€42.00'] },
   *   { idempotencyKey: 'order-A-1001' },
   * )
   * ```
   */
  sendTemplate<const Dry extends boolean = false>(
    message: TemplateMessage,
    options?: MaybeDry<Dry>,
  ): ApiPromise<Outcome<Dry, SentTemplate>> {
    return this.#send('template', expandBody(message), options)
  }

  /** Sends a file: one uploaded with `media.upload()` or one behind a link. The 24 hour window applies. */
  sendMedia<const Dry extends boolean = false>(
    message: MediaMessage,
    options?: MaybeDry<Dry>,
  ): ApiPromise<Outcome<Dry, SentMessage>> {
    return this.#send('media', message, options)
  }

  /** Sends buttons, a menu or quick replies. The tap arrives as `message.received` with `content.reply`. */
  sendInteractive<const Dry extends boolean = false>(
    message: InteractiveMessage,
    options?: MaybeDry<Dry>,
  ): ApiPromise<Outcome<Dry, SentMessage>> {
    return this.#send('interactive', message, options)
  }

  /** Sends a place on the map. The 24 hour window applies. */
  sendLocation<const Dry extends boolean = false>(
    message: LocationMessage,
    options?: MaybeDry<Dry>,
  ): ApiPromise<Outcome<Dry, SentMessage>> {
    return this.#send('location', message, options)
  }

  /** Sends contact cards. The 24 hour window applies. */
  sendContacts<const Dry extends boolean = false>(
    message: ContactsMessage,
    options?: MaybeDry<Dry>,
  ): ApiPromise<Outcome<Dry, SentMessage>> {
    return this.#send('contacts', message, options)
  }

  /** Sends a sticker: a WebP file, uploaded or behind a link. The 24 hour window applies. */
  sendSticker<const Dry extends boolean = false>(
    message: StickerMessage,
    options?: MaybeDry<Dry>,
  ): ApiPromise<Outcome<Dry, SentMessage>> {
    return this.#send('sticker', message, options)
  }

  /** Puts an emoji on a message, or removes it. Its status stays `sent`: Meta reports no other of a reaction. */
  sendReaction<const Dry extends boolean = false>(
    message: ReactionMessage,
    options?: MaybeDry<Dry>,
  ): ApiPromise<Outcome<Dry, SentMessage>> {
    return this.#send('reaction', message, options)
  }

  /** Looks a message up by the id of its send, or by the provisional id an error carried. */
  get(messageId: string, options?: RequestOptions): ApiPromise<Message> {
    return this.#transport.send({ method: 'GET', path: path`/v1/chat/messages/${messageId}` }, options)
  }

  /** Lists messages, newest first. `for await` goes through all pages. */
  list(filters: MessageFilters = {}, options?: RequestOptions): List<MessageSummary> {
    type Data = { messages: MessageSummary[]; pagination: Pagination }
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: '/v1/chat/messages', query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.messages, data.pagination))
    return new List(page, filters.cursor)
  }

  /** Cancels a message that waits. Repeating it does no harm; one that is under way rejects with `message_not_cancelable`. */
  cancel(messageId: string, options?: RequestOptions): ApiPromise<CanceledMessage> {
    return this.#transport.send({ method: 'POST', path: path`/v1/chat/messages/${messageId}/cancel` }, options)
  }

  /** Cancels all messages that wait with this reference. */
  cancelAll(params: { clientReference: string }, options?: RequestOptions): ApiPromise<CanceledMessages> {
    return this.#transport.send({ method: 'POST', path: '/v1/chat/messages/cancel', body: params }, options)
  }

  /** Shows the customer that an inbound message was read. Repeating it does no harm. */
  markRead(messageId: string, params: MarkReadParams = {}, options?: RequestOptions): ApiPromise<MarkedRead> {
    return this.#transport.send(
      { method: 'POST', path: path`/v1/chat/messages/${messageId}/read`, body: params },
      options,
    )
  }

  #send<Resolved>(kind: Kind, body: object, options: SendOptions = {}): ApiPromise<Resolved> {
    const { dryRun = false, ...request } = options
    const query = dryRun ? { dryRun } : {}
    return this.#transport.send({ method: 'POST', path: `/v1/chat/messages/${kind}`, query, body }, request)
  }
}
