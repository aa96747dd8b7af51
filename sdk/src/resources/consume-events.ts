import type { Clock } from '../clock.ts'
import { PosternError } from '../errors.ts'
import type { ApiPromise } from '../http/api-promise.ts'
import { notify } from '../http/hooks.ts'
import type { Page } from '../http/pagination.ts'
import type { Moment } from '../http/wire.ts'
import type { PosternEvent } from './event-types.ts'
import type { EventType } from './webhook-types.ts'

/** What `events.consume()` needs: where to keep its position, and what to do with an event. */
export interface EventConsumer {
  /** Reads the position that was saved last; nothing on the first start. */
  load: () => MaybePromise<string | null | undefined>
  /** Keeps the position in a file or a database row. It is an opaque text of at most 1,200 characters. */
  save: (position: string) => MaybePromise<void>
  /** Handles one event. It can get the same event again after a crash: deduplicate by `event.id`. */
  handle: (event: PosternEvent) => MaybePromise<void>
  /** Only events of this type. */
  type?: EventType
  /** Only events of this message. */
  messageId?: string
  /** Where the first start begins, while nothing is saved. Default: now. */
  since?: Moment
  /** Events per request, 1 to 100. */
  limit?: number
  /** Ends the consumer: the event in hand is finished and saved, then `consume()` resolves. */
  signal?: AbortSignal
  /** Called before each wait after a temporary failure, such as a gateway that restarts. */
  onRetry?: (notice: { error: PosternError; waitMs: number }) => void
  /** Called when the gateway no longer accepts the saved position, and reading continues by time instead. */
  onRestart?: (notice: { error: PosternError; since: string }) => void
}

type MaybePromise<T> = T | Promise<T>
type Query = { type?: EventType; messageId?: string; since?: string; cursor?: string; limit?: number }
export type ReadEvents = (query: Query, signal: AbortSignal | undefined) => ApiPromise<Page<PosternEvent>>

/**
 * Where a consumer is. `cursor` stands before the page it reads, `handled` is the last event of that page it is done
 * with. `since` is where it starts while there is no cursor, and then the latest time of the pages before.
 */
type Position = { since: string; cursor: string | undefined; handled: string | undefined }

const WAIT_MS_MIN = 1_000
/** One request a minute leaves 40 of the 100 an hour that the smallest plan has. */
const WAIT_MS_MAX = 60_000
/** However long a `Retry-After` is, the gateway is asked again after an hour. */
const RETRY_AFTER_MS_MAX = 3_600_000
/** The feed is in the order of commits: an event can stand behind others that are up to a minute younger. */
const COMMIT_LAG_MS = 60_000

/** One run of `events.consume()`. */
export async function consumeEvents(read: ReadEvents, clock: Clock, consumer: EventConsumer): Promise<void> {
  const { load, save, handle, signal, onRetry, onRestart } = consumer
  const filters = filtersOf(consumer)
  try {
    const saved = await load()
    await follow(saved === undefined || saved === null ? await firstPosition() : parsePosition(saved))
  } catch (error) {
    // The next start repeats what the signal interrupted.
    if (!signal?.aborted || (error !== signal.reason && !isTemporary(error))) throw error
  }

  async function follow(start: Position): Promise<void> {
    let at = start
    for (let restMs = WAIT_MS_MIN; !signal?.aborted; ) {
      const { page, from } = await untilItWorks(() => readPage(at))
      at = from
      for (const event of behind(at.handled, page.items)) {
        await untilItWorks(async () => handle(event))
        at = { ...at, handled: event.id }
        await save(formatPosition(at))
        if (signal?.aborted) return
      }
      const since = page.items.reduce((latest, { timestamp }) => laterOf(latest, timestamp), at.since)
      const next = { since, cursor: page.nextCursor ?? at.cursor, handled: undefined }
      if (formatPosition(next) !== formatPosition(at)) await save(formatPosition(next))
      at = next
      if (page.hasMore) continue
      if (page.items.length > 0) restMs = WAIT_MS_MIN
      await clock.sleep(restMs, signal)
      restMs = Math.min(WAIT_MS_MAX, restMs * 2)
    }
  }

  /** The page at a position, or, when the gateway no longer knows it, the first one from its time on. */
  async function readPage(at: Position): Promise<{ page: Page<PosternEvent>; from: Position }> {
    const { cursor, since } = at
    if (cursor === undefined) return { page: await read({ ...filters, since }, signal), from: at }
    try {
      return { page: await read({ ...filters, cursor }, signal), from: at }
    } catch (error) {
      if (!(error instanceof PosternError) || error.code !== 'invalid_cursor') throw error
      const earlier = new Date(Math.max(0, Date.parse(since) - COMMIT_LAG_MS)).toISOString()
      notify(onRestart, { error, since: earlier })
      return readPage({ since: earlier, cursor: undefined, handled: undefined })
    }
  }

  /** On the first start, "now" is the time of the gateway: the clock of this machine could be ahead and skip events. */
  async function firstPosition(): Promise<Position> {
    const gatewayTime = async () => {
      const { response } = await read({ ...filters, limit: 1 }, signal).withResponse()
      return response.headers.get('date')
    }
    const since = new Date(consumer.since ?? (await untilItWorks(gatewayTime)) ?? clock.now()).toISOString()
    const first = { since, cursor: undefined, handled: undefined }
    await save(formatPosition(first))
    return first
  }

  /** Tries until it works or fails for good. */
  async function untilItWorks<T>(work: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        return await work()
      } catch (error) {
        if (signal?.aborted || !isTemporary(error)) throw error
        const waitMs = waitAfter(error, failures, clock.random())
        notify(onRetry, { error, waitMs })
        await clock.sleep(waitMs, signal)
      }
    }
  }
}

function filtersOf({ type, messageId, limit }: EventConsumer): Query {
  return { ...(type && { type }), ...(messageId && { messageId }), ...(limit && { limit }) }
}

/** The gateway says that it can be tried again, or cannot be reached. */
function isTemporary(error: unknown): error is PosternError {
  return error instanceof PosternError && error.retryable
}

/** As long as the gateway asks, otherwise 1, 2, 4 … 60 seconds, of which half is chance: clients come back one by one. */
function waitAfter({ retryAfter }: PosternError, failures: number, random: number): number {
  if (retryAfter !== undefined) return Math.min(RETRY_AFTER_MS_MAX, retryAfter * 1_000)
  const mostMs = Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** (failures - 1))
  return Math.round(mostMs * (0.5 + random / 2))
}

/** The events that follow the one that was handled last; all of them when it is not there. */
function behind(handled: string | undefined, events: PosternEvent[]): PosternEvent[] {
  return events.slice(events.findIndex(({ id }) => id === handled) + 1)
}

function laterOf(one: string, other: string): string {
  return Date.parse(other) > Date.parse(one) ? other : one
}

/** Times, cursors and ids contain no space. */
function formatPosition({ since, cursor = '', handled = '' }: Position): string {
  return `${since} ${cursor} ${handled}`.trimEnd()
}

function parsePosition(text: string): Position {
  const [since = '', cursor, handled] = text.trimEnd().split(' ')
  if (Number.isNaN(Date.parse(since)))
    throw new TypeError('load() must return the text that save() was given, or undefined on the first start')
  return { since, cursor: cursor || undefined, handled: handled || undefined }
}
