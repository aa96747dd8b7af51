import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { type Page, type Pagination, pageOf } from '../http/pagination.ts'
import type { Transport } from '../http/request.ts'
import type { Filters, Moment } from '../http/wire.ts'
import type { PosternEvent } from './event-types.ts'
import type { EventType } from './webhook-types.ts'

/** Filters of `events.list()`. */
export interface EventFilters extends Omit<Filters<'listEvents'>, 'type' | 'since'> {
  type?: EventType
  since?: Moment
  /** Where to continue, from `feed.cursor`. Without it the feed starts with the oldest event, up to 14 days ago. */
  cursor?: string
  /** Events per request, 1 to 100. */
  limit?: number
}

/** Everything that happened, oldest first: the same events webhooks get, for software without a public address. */
export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** A feed that never ends; see `EventFeed`. */
  list(filters: EventFilters = {}, options: RequestOptions = {}): EventFeed {
    type Data = { events: PosternEvent[]; pagination: Pagination }
    const page = (cursor: string | undefined) =>
      this.#transport
        .send<Data>({ method: 'GET', path: '/v1/events', query: { ...filters, cursor } }, options)
        .map((data) => pageOf(data.events, data.pagination))
    const rest = (ms: number) => this.#transport.clock.sleep(ms, options.signal)
    return new EventFeed(page, rest, filters.cursor)
  }
}

const REST_MS_MIN = 1_000
/** One request a minute leaves 40 of the 100 an hour that the smallest plan has. */
const REST_MS_MAX = 60_000

/**
 * The feed of events. Iterating waits for news and ends only by `break`, by an error or by the `signal` of the call.
 * While it is quiet the feed asks after 1, 2, 4 … and at last every 60 seconds.
 * When the gateway was restored from a backup it ends with `invalid_cursor`: start again with `since` and the timestamp of
 * the last event you have.
 *
 * ```ts
 * const feed = postern.events.list({ cursor: await load() })
 * for await (const event of feed) {
 *   await handle(event)
 *   await save(feed.cursor)
 * }
 * ```
 */
export class EventFeed implements AsyncIterable<PosternEvent> {
  readonly #fetchPage: (cursor: string | undefined) => ApiPromise<Page<PosternEvent>>
  readonly #rest: (ms: number) => Promise<void>
  #cursor: string | undefined

  /** Made by `events.list()`. */
  constructor(
    fetchPage: (cursor: string | undefined) => ApiPromise<Page<PosternEvent>>,
    rest: (ms: number) => Promise<void>,
    cursor: string | undefined,
  ) {
    this.#fetchPage = fetchPage
    this.#rest = rest
    this.#cursor = cursor
  }

  /**
   * Where a later feed continues. It moves when all events of a page have been taken, so nothing is ever skipped, and
   * a restart repeats at most one page: deduplicate by `event.id`.
   */
  get cursor(): string | undefined {
    return this.#cursor
  }

  /** What is there now, without waiting for more. Does not move `cursor`; pass `nextCursor` to the next `list()`. */
  page(): ApiPromise<Page<PosternEvent>> {
    return this.#fetchPage(this.#cursor)
  }

  /** Every event from the cursor on, and every one that will happen. */
  async *[Symbol.asyncIterator](): AsyncGenerator<PosternEvent, never, undefined> {
    let restMs = REST_MS_MIN
    for (;;) {
      const page = await this.#fetchPage(this.#cursor)
      yield* page.items
      this.#cursor = page.nextCursor ?? this.#cursor
      if (page.hasMore) continue
      if (page.items.length > 0) restMs = REST_MS_MIN
      await this.#rest(restMs)
      restMs = Math.min(REST_MS_MAX, restMs * 2)
    }
  }
}
