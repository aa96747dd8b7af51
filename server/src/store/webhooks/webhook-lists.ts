import type { CompiledQuery } from 'kysely'
import { minuteMs } from '../../lib/durations.ts'
import { kysely, listCompiler } from '../engine/cursor.ts'
import { type Engine, translate } from '../engine/dialect.ts'
import type { Listing } from '../engine/list.ts'
import { query } from '../engine/operation.ts'
import type { DeliveryRow } from './deliveries.ts'
import type { EventRow } from './events.ts'

type EventTable = EventRow & { tx: number; seq: number }
type Tables = { deliveries: DeliveryRow; events: EventTable }

type DeliveryFilters = {
  webhookId: string
  statuses: readonly string[] | null
  type: string | null
  since: number | null
  until: number | null
  /** All ids of one message. */
  messageIds: readonly string[] | null
  /** Id of the last one of the page before. */
  before: string | null
  count: number
}

/** Newest first. Ids begin with the time, so the order of ids is the order of age. */
export function deliveriesQuery(engine: Engine, filters: DeliveryFilters): CompiledQuery<DeliveryRow> {
  const { webhookId, statuses, type, since, until, messageIds, before, count } = filters
  let list = listCompiler<Tables>(engine)
    .selectFrom('deliveries')
    .select(['id', 'webhook_id', 'event_id', 'type', 'message_id', 'status', 'due_at', 'attempts', 'created_at'])
    .where('webhook_id', '=', webhookId)
  if (statuses) list = list.where('status', 'in', [...statuses])
  if (type !== null) list = list.where('type', '=', type)
  if (since !== null) list = list.where('created_at', '>=', since)
  if (until !== null) list = list.where('created_at', '<', until)
  if (messageIds !== null) list = list.where('message_id', 'in', [...messageIds])
  if (before !== null) list = list.where('id', '<', before)
  return list.orderBy('id', 'desc').limit(count).compile()
}

type FeedFilters = {
  accountId: string
  type: string | null
  since: number | null
  /** An id under which a message may have been told of. */
  messageId: string | null
}

export type FeedRow = Pick<EventTable, 'tx' | 'seq' | 'created_at' | 'body'>

/** An event is never committed more than this after its time; a feed that starts at a time starts looking here. */
export const commitLagMsMax = minuteMs

/**
 * The feed in commit order. On PostgreSQL only transactions older than every running one are shown: a sequence number
 * is drawn before the commit, so a later reader could otherwise find a smaller one behind its cursor.
 */
export function feedListing(engine: Engine, { accountId, type, since, messageId }: FeedFilters): Listing<FeedRow> {
  const { sql } = kysely()
  return {
    table: 'events',
    columns: 'r.tx, r.seq, r.created_at, r.body',
    key: ['seq'],
    // A message has few events; they are found by it, and sorted.
    fixed: messageId === null ? { account_id: accountId } : { subject: messageId },
    along: ['tx', 'seq'],
    order: 'asc',
    time: 'created_at',
    only: `r.tx < ${translate(engine, '{settled}')}`,
    filters: [
      ...(messageId === null ? [] : [sql`r.account_id = ${accountId}`]),
      ...(type === null ? [] : [sql`r.type = ${type}`]),
      ...(since === null ? [] : [sql`r.created_at >= ${since}`]),
    ],
  }
}

export const pendingOf = query({
  name: 'deliveries.pending_of',
  params: { ids: 'text[]' },
  returns: { webhook_id: 'text', pending: 'int', next_at: 'int?' },
  lane: 'list',
  sql: `select webhook_id, count(*) as pending, min(due_at) as next_at from deliveries
        where webhook_id in {list:ids} and status = 'pending' group by webhook_id`,
})

/** Of the newest deliveries only, so that a busy webhook costs no more than a quiet one. */
export const outcomesByHour = query({
  name: 'deliveries.outcomes_by_hour',
  params: { webhook_id: 'text', since: 'int', newest: 'int', hour_ms: 'int' },
  returns: { hour: 'int', status: 'text', total: 'int' },
  lane: 'list',
  sql: `select cast(created_at / :hour_ms as bigint) as hour, status, count(*) as total from (
          select created_at, status, attempts from deliveries where webhook_id = :webhook_id
          order by id desc limit :newest) newest
        where created_at >= :since and attempts > 0 group by 1, 2`,
})

export const recentDurations = query({
  name: 'attempts.recent_durations',
  params: { webhook_id: 'text', newest: 'int' },
  returns: { duration_ms: 'int' },
  lane: 'list',
  sql: `select a.duration_ms from attempts a where a.delivery_id in (
          select id from deliveries where webhook_id = :webhook_id order by id desc limit :newest)
        order by a.duration_ms`,
})
