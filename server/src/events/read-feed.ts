import type { Runtime } from '../runtime.ts'
import { feedQuery } from '../store/webhooks/webhook-lists.ts'
import { invalidCursor } from './invalid-cursor.ts'
import { readInstant } from './read-instant.ts'

export type FeedRequest = { type?: string; since?: string; message_id?: string; cursor?: string; limit?: number }

type FeedEvent = { id: string; type: string; api_version: string; timestamp: string; data: Record<string, unknown> }

const dayMs = 86_400_000
const limitDefault = 25

/**
 * Everything that happened, oldest first, for software without a public address. There is always a cursor to go on
 * with; it lives as long as the event it stands behind, and stays the same while there is no news.
 */
export async function readFeed(rt: Runtime, accountId: string, request: FeedRequest) {
  const { cursor, limit = limitDefault, ...filters } = request
  const boundTo = [accountId, 'feed', filters]
  const position = cursor === undefined ? [0, 0] : rt.cursors.open(cursor, boundTo)
  if (position === null) throw invalidCursor()
  const query = feedQuery(rt.store.engine, {
    accountId,
    type: filters.type ?? null,
    since: readInstant('since', filters.since),
    messageId: filters.message_id ?? null,
    afterTx: Number(position[0]),
    afterSeq: Number(position[1]),
    count: limit + 1,
  })
  const rows = await rt.store.list(query)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const keptMs = rt.config.retentionDeliveriesDays * dayMs
  const lifeMs = keptMs - (last ? rt.clock.now() - last.created_at : 0)
  const next_cursor =
    !last && cursor ? cursor : rt.cursors.seal(last ? [last.tx, last.seq] : [0, 0], boundTo, { lifeMs })
  return {
    events: page.map(({ body }) => JSON.parse(body) as FeedEvent),
    pagination: { limit, has_more: rows.length > limit, next_cursor },
  }
}
