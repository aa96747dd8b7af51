import type { Event, EventQuery } from '../contract/event-feed.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { feedQuery } from '../store/webhooks/webhook-lists.ts'
import { erasedIds } from './erased-id.ts'
import { type FeedMark, feedEpoch, feedStart, openFeedCursor, sealFeedCursor } from './feed-cursor.ts'
import { readInstant } from './read-instant.ts'

const limitDefault = 25
/** An event that the next run of retention will delete is still shown, and its reader has to get behind it. */
const lifeMsMin = hourMs

/**
 * All events, oldest first, for software without a public address. There is always a cursor to continue with. It is
 * valid as long as the event before it is kept, and longer for a reader that keeps asking: while there are no new events
 * it stays the same until half of its time is over. `since` only chooses the start; the cursor remembers it, so a reader
 * resumes with the cursor alone, also after an empty first page.
 */
export async function readFeed(rt: Runtime, accountId: string, request: EventQuery) {
  const { cursor, limit = limitDefault, since, ...filters } = request
  const boundTo = [accountId, 'feed', filters]
  const epoch = await feedEpoch(rt)
  const given = cursor === undefined ? null : openFeedCursor(rt, cursor, boundTo, epoch)
  const mark: FeedMark = given ?? { position: feedStart, since: readInstant('since', since) ?? 0 }
  const query = feedQuery(rt.store.engine, {
    accountId,
    type: filters.type ?? null,
    since: mark.since === 0 ? null : mark.since,
    messageIds: filters.message_id ? [filters.message_id, (await erasedIds(rt, accountId))(filters.message_id)] : null,
    afterTx: mark.position[0],
    afterSeq: mark.position[1],
    count: limit + 1,
  })
  const rows = await rt.store.list(query, accountId)
  const page = rows.slice(0, limit)
  return {
    events: page.map(({ body }) => JSON.parse(body) as Event),
    pagination: { limit, has_more: rows.length > limit, next_cursor: nextCursor() },
  }

  function nextCursor(): string {
    const now = rt.clock.now()
    const keptMs = rt.config.retentionDeliveriesDays * dayMs
    const last = page.at(-1)
    if (!last && cursor && given && given.expiresAt - now > keptMs / 2) return cursor
    const lifeMs = Math.max(lifeMsMin, keptMs - (last ? now - last.created_at : 0))
    const position = last ? ([last.tx, last.seq] as const) : mark.position
    return sealFeedCursor(rt, { epoch, position, since: mark.since }, boundTo, lifeMs)
  }
}
