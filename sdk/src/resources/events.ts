import type { ApiPromise } from '../http/api-promise.ts'
import type { RequestOptions } from '../http/call.ts'
import { type Page, type Pagination, pageOf } from '../http/pagination.ts'
import type { Transport } from '../http/request.ts'
import type { Filters, Moment } from '../http/wire.ts'
import { consumeEvents, type EventConsumer } from './consume-events.ts'
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

  /**
   * Hands every event to `handle`, one after the other, until the signal is aborted. This is how a service follows the
   * feed: it continues where it was, across restarts of your program and of the gateway.
   *
   * - At least once: the position is saved after `handle`, so a crash repeats at most the event in hand.
   * - Failures that pass (`retryable`: the gateway restarts, the network is down, a quota is used up) are retried, those
   *   of the calls that `handle` makes too, after 1, 2, 4 … and at last every 60 seconds, or as `Retry-After` says.
   * - Every other error ends it, and the promise rejects; the next start repeats the event.
   * - When the gateway no longer accepts the position (it was restored from a backup, or your program was away for longer
   *   than events are kept), reading continues a minute before the last event that was handled. `onRestart` reports it.
   *
   * ```ts
   * await postern.events.consume({
   *   load: () => readFile('position', 'utf8').catch(() => undefined),
   *   save: (position) => writeFile('position', position),
   *   handle: async (event) => console.log(event.type),
   *   signal: stopping.signal,
   * })
   * ```
   */
  async consume(consumer: EventConsumer): Promise<void> {
    const read = (query: EventQuery, signal?: AbortSignal) => this.#read(query, signal ? { signal } : {})
    await consumeEvents(read, this.#transport.clock, consumer)
  }

  /** A feed that never ends; see `EventFeed`. */
  list(filters: EventFilters = {}, options: RequestOptions = {}): EventFeed {
    const page = (cursor: string | undefined) => this.#read({ ...filters, cursor }, options)
    const rest = (ms: number) => this.#transport.clock.sleep(ms, options.signal)
    return new EventFeed(page, rest, filters.cursor)
  }

  #read(query: EventQuery, options: RequestOptions): ApiPromise<Page<PosternEvent>> {
    type Data = { events: PosternEvent[]; pagination: Pagination }
    return this.#transport
      .send<Data>({ method: 'GET', path: '/v1/events', query }, options)
      .map((data) => pageOf(data.events, data.pagination))
  }
}

type EventQuery = { [Name in keyof EventFilters]?: EventFilters[Name] | undefined }

const REST_MS_MIN = 1_000
/** One request a minute leaves 40 of the 100 an hour that the smallest plan has. */
const REST_MS_MAX = 60_000

/**
 * The feed of events. Iterating waits for new events and ends only by `break`, by an error or by the `signal` of the call.
 * While it is quiet the feed asks after 1, 2, 4 … and at last every 60 seconds. A gateway that is away for more than a
 * moment ends it with an error: a program that must not miss an event uses `events.consume()`.
 *
 * ```ts
 * for await (const event of postern.events.list({ since: new Date() })) {
 *   console.log(event.type)
 *   if (event.type === 'message.delivered') break
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
