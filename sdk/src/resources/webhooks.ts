import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { List, type Pagination, pageOf } from '../http/pagination.ts'
import { path } from '../http/path.ts'
import type { Transport } from '../http/request.ts'
import type {
  CreatedWebhook,
  DeletedWebhook,
  Delivery,
  DeliveryFilters,
  DeliveryWithAttempts,
  Replay,
  ReplayParams,
  RotatedSecret,
  RotateParams,
  Webhook,
  WebhookChanges,
  WebhookDraft,
  WebhookSample,
  WebhookTest,
} from './webhook-types.ts'

/** Webhooks of the account, and what was delivered to them. */
export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Lists all webhooks; there are at most 20, so it is one page. */
  list(options?: RequestOptions): List<Webhook> {
    const page = () =>
      this.#transport
        .send<{ webhooks: Webhook[] }>({ method: 'GET', path: '/v1/webhooks' }, options)
        .map((data) => pageOf(data.webhooks, undefined))
    return new List(page, undefined)
  }

  /** Registers a webhook. The gateway then sends a challenge to its url; see `verification` of `get()`. */
  create(webhook: WebhookDraft, options?: RequestOptions): ApiPromise<CreatedWebhook> {
    return this.#transport.send({ method: 'POST', path: '/v1/webhooks', body: webhook }, options)
  }

  /** One webhook by its id. */
  get(webhookId: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#transport.send({ method: 'GET', path: path`/v1/webhooks/${webhookId}` }, options)
  }

  /** Changes the given fields and leaves the others. */
  update(webhookId: string, changes: WebhookChanges, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#transport.send({ method: 'PUT', path: path`/v1/webhooks/${webhookId}`, body: changes }, options)
  }

  /** Deletes a webhook and cancels what is pending. A repeat after a lost answer can end in a `NotFoundError`. */
  delete(webhookId: string, options?: RequestOptions): ApiPromise<DeletedWebhook> {
    return this.#transport.send({ method: 'DELETE', path: path`/v1/webhooks/${webhookId}` }, options)
  }

  /** Sends the challenge now. Rejects with code `webhook_verification_failed` when the receiver does not return it. */
  verify(webhookId: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#transport.send({ method: 'POST', path: path`/v1/webhooks/${webhookId}/verify` }, options)
  }

  /** Delivers a sample event now and tells how the receiver answered. */
  test(webhookId: string, sample: WebhookSample, options?: RequestOptions): ApiPromise<WebhookTest> {
    return this.#transport.send({ method: 'POST', path: path`/v1/webhooks/${webhookId}/test`, body: sample }, options)
  }

  /**
   * Replaces the secret: yours, or a new random one that is shown this once. The old one keeps signing beside it for
   * `overlapSeconds` (default 86400). Not repeated by itself when the answer is lost: a second rotation would end the
   * overlap of the secret your receivers still use.
   */
  rotateSecret(webhookId: string, params: RotateParams = {}, options?: RequestOptions): ApiPromise<RotatedSecret> {
    return this.#transport.send(
      { method: 'POST', path: path`/v1/webhooks/${webhookId}/rotate-secret`, body: params },
      { maxRetries: 0, ...options },
    )
  }

  /** Lists deliveries, newest first. */
  deliveries(webhookId: string, filters: DeliveryFilters = {}, options?: RequestOptions): List<Delivery> {
    type Data = { deliveries: Delivery[]; pagination: Pagination }
    const pathname = path`/v1/webhooks/${webhookId}/deliveries`
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: pathname, query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.deliveries, data.pagination))
    return new List(page, filters.cursor)
  }

  /** One delivery with all its attempts. */
  delivery(webhookId: string, deliveryId: string, options?: RequestOptions): ApiPromise<DeliveryWithAttempts> {
    return this.#transport.send(
      { method: 'GET', path: path`/v1/webhooks/${webhookId}/deliveries/${deliveryId}` },
      options,
    )
  }

  /** Tries a delivery again now, with the same event id; it takes the place of the next automatic attempt. */
  retry(webhookId: string, deliveryId: string, options?: RequestOptions): ApiPromise<Delivery> {
    return this.#transport.send(
      { method: 'POST', path: path`/v1/webhooks/${webhookId}/deliveries/${deliveryId}/retry` },
      options,
    )
  }

  /** Sends past events again, up to 14 days back and 10,000 at a time. */
  replay(webhookId: string, params: ReplayParams, options?: RequestOptions): ApiPromise<Replay> {
    return this.#transport.send({ method: 'POST', path: path`/v1/webhooks/${webhookId}/replay`, body: params }, options)
  }
}
