import type { Event, EventQuery } from '../contract/event-feed.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { feedQuery } from '../store/webhooks/webhook-lists.ts'
import { type FeedPosition, feedEpoch, feedStart, openFeedCursor, sealFeedCursor } from './feed-cursor.ts'
import { readInstant } from './read-instant.ts'

const limitDefault = 25
/** An event that the next run of retention will delete is still shown, and its reader has to get behind it. */
const lifeMsMin = hourMs

/**
 * Everything that happened, oldest first, for software without a public address. There is always a cursor to go on
 * with; it lives as long as the event it stands behind, and stays the same while there is no news.
 */
export async function readFeed(rt: Runtime, accountId: string, request: EventQuery) {
  const { cursor, limit = limitDefault, ...filters } = request
  const boundTo = [accountId, 'feed', filters]
  const epoch = await feedEpoch(rt)
  const [afterTx, afterSeq] = openFeedCursor(rt, cursor, boundTo, epoch)
  const query = feedQuery(rt.store.engine, {
    accountId,
    type: filters.type ?? null,
    since: readInstant('since', filters.since),
    messageId: filters.message_id ?? null,
    afterTx,
    afterSeq,
    count: limit + 1,
  })
  const rows = await rt.store.list(query)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const keptMs = rt.config.retentionDeliveriesDays * dayMs
  const lifeMs = Math.max(lifeMsMin, keptMs - (last ? rt.clock.now() - last.created_at : 0))
  const position: FeedPosition = last ? [last.tx, last.seq] : feedStart
  const next_cursor = !last && cursor ? cursor : sealFeedCursor(rt, { epoch, position }, boundTo, lifeMs)
  return {
    events: page.map(({ body }) => JSON.parse(body) as Event),
    pagination: { limit, has_more: rows.length > limit, next_cursor },
  }
}
