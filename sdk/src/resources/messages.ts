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

/** Options that ask for a dry run. */
export type DryRunOptions = SendOptions & { dryRun: true }
/** Options of a send that is meant. */
export type RealSendOptions = SendOptions & { dryRun?: false }

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
  send(message: TextMessage, options: DryRunOptions): ApiPromise<DryRun>
  send(message: TextMessage, options?: RealSendOptions): ApiPromise<SentText>
  send(message: TextMessage, options?: SendOptions): ApiPromise<unknown> {
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
  sendTemplate(message: TemplateMessage, options: DryRunOptions): ApiPromise<DryRun>
  sendTemplate(message: TemplateMessage, options?: RealSendOptions): ApiPromise<SentTemplate>
  sendTemplate(message: TemplateMessage, options?: SendOptions): ApiPromise<unknown> {
    return this.#send('template', expandBody(message), options)
  }

  /** Sends a file: one uploaded with `media.upload()` or one behind a link. The 24 hour window applies. */
  sendMedia(message: MediaMessage, options: DryRunOptions): ApiPromise<DryRun>
  sendMedia(message: MediaMessage, options?: RealSendOptions): ApiPromise<SentMessage>
  sendMedia(message: MediaMessage, options?: SendOptions): ApiPromise<unknown> {
    return this.#send('media', message, options)
  }

  /** Sends buttons, a menu or quick replies. The tap arrives as `message.received` with `content.reply`. */
  sendInteractive(message: InteractiveMessage, options: DryRunOptions): ApiPromise<DryRun>
  sendInteractive(message: InteractiveMessage, options?: RealSendOptions): ApiPromise<SentMessage>
  sendInteractive(message: InteractiveMessage, options?: SendOptions): ApiPromise<unknown> {
    return this.#send('interactive', message, options)
  }

  /** Sends a place on the map. The 24 hour window applies. */
  sendLocation(message: LocationMessage, options: DryRunOptions): ApiPromise<DryRun>
  sendLocation(message: LocationMessage, options?: RealSendOptions): ApiPromise<SentMessage>
  sendLocation(message: LocationMessage, options?: SendOptions): ApiPromise<unknown> {
    return this.#send('location', message, options)
  }

  /** Sends contact cards. The 24 hour window applies. */
  sendContacts(message: ContactsMessage, options: DryRunOptions): ApiPromise<DryRun>
  sendContacts(message: ContactsMessage, options?: RealSendOptions): ApiPromise<SentMessage>
  sendContacts(message: ContactsMessage, options?: SendOptions): ApiPromise<unknown> {
    return this.#send('contacts', message, options)
  }

  /** Sends a sticker: a WebP file, uploaded or behind a link. The 24 hour window applies. */
  sendSticker(message: StickerMessage, options: DryRunOptions): ApiPromise<DryRun>
  sendSticker(message: StickerMessage, options?: RealSendOptions): ApiPromise<SentMessage>
  sendSticker(message: StickerMessage, options?: SendOptions): ApiPromise<unknown> {
    return this.#send('sticker', message, options)
  }

  /** Puts an emoji on a message, or removes it. Its status stays `sent`: Meta reports no other of a reaction. */
  sendReaction(message: ReactionMessage, options: DryRunOptions): ApiPromise<DryRun>
  sendReaction(message: ReactionMessage, options?: RealSendOptions): ApiPromise<SentMessage>
  sendReaction(message: ReactionMessage, options?: SendOptions): ApiPromise<unknown> {
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

  #send(kind: Kind, body: object, options: SendOptions = {}) {
    const { dryRun = false, ...request } = options
    const query = dryRun ? { dryRun } : {}
    return this.#transport.send({ method: 'POST', path: `/v1/chat/messages/${kind}`, query, body }, request)
  }
}
