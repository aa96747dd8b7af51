import type { CompiledQuery } from 'kysely'
import { dayMs, minuteMs } from '../../lib/durations.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { kysely, listCompiler } from '../engine/cursor.ts'
import { type Engine, translate } from '../engine/dialect.ts'
import type { Listing } from '../engine/list.ts'
import { query } from '../engine/operation.ts'
import { type DeliveryRow, eventOf, messageOf, unclaimed } from './deliveries.ts'
import type { EventRow } from './events.ts'

type EventTable = EventRow & { tx: number; seq: number }
type Tables = { deliveries: DeliveryRow; delivery_queue: DeliveryRow; events: EventTable }

type DeliveryFilters = {
  webhookId: string
  statuses: readonly string[] | null
  type: string | null
  since: number | null
  until: number | null
  /** The events of one message. */
  eventIds: readonly string[] | null
  /** Id of the last one of the page before. */
  before: string | null
  count: number
}

/**
 * Newest first, of what waits or of what ended. Ids begin with the time, so the order of ids is the order of age, and a time
 * bounds the days that are looked at.
 */
export function deliveriesQuery(
  engine: Engine,
  table: 'delivery_queue' | 'deliveries',
  filters: DeliveryFilters,
): CompiledQuery<DeliveryRow> {
  const { webhookId, statuses, type, since, until, eventIds, before, count } = filters
  const { sql } = kysely()
  const waits = table === 'delivery_queue'
  const event = waits ? eventOf('d') : `coalesce(d.event_id, ${eventOf('d')})`
  const status = waits
    ? `case when d.status <> 'pending' or ${unclaimed('d')} then d.status else 'sending' end`
    : 'd.status'
  let list = listCompiler<Tables>(engine)
    .selectFrom(`${table} as d`)
    .select([
      'd.id',
      'd.webhook_id',
      sql.raw<string>(event).as('event_id'),
      'd.type',
      sql.raw<string | null>(messageOf('d', event)).as('message_id'),
      sql.raw<string>(status).as('status'),
      waits ? 'd.due_at' : 'd.created_at as due_at',
      'd.attempts',
      'd.created_at',
    ])
    .where('d.webhook_id', '=', webhookId)
  if (statuses) list = list.where(sql.raw<string>(status), 'in', [...statuses])
  if (type !== null) list = list.where('d.type', '=', type)
  if (since !== null)
    list = list.where('d.created_at', '>=', since).where('d.id', '>=', firstIdAt('dlv', since - slackMs))
  if (until !== null) list = list.where('d.created_at', '<', until).where('d.id', '<', firstIdAt('dlv', until + dayMs))
  if (eventIds !== null) {
    list = list.where(({ eb, or, and }) =>
      or([
        ...(waits ? [] : [eb(sql.raw<string>('d.event_id'), 'in', ['', ...eventIds])]),
        ...eventIds.map((id) => and([eb('d.id', '>', deliveryOf(id)), eb('d.id', '<', `${deliveryOf(id)}z`)])),
      ]),
    )
  }
  if (before !== null) list = list.where('d.id', '<', before)
  return list.orderBy('d.id', 'desc').limit(count).compile()
}

/** An id was made a moment before the delivery's own time, and is ahead of it where a clock was set back. */
const slackMs = minuteMs

const deliveryOf = (eventId: string) => `dlv_${eventId.slice(4)}`

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
  sql: `select webhook_id, count(*) as pending, min(due_at) as next_at from delivery_queue d
        where webhook_id in {list:ids} and status = 'pending' and ${unclaimed('d')} group by webhook_id`,
})

const newestTo = `(select * from (select id, created_at, status, attempts, duration_ms from deliveries
      where webhook_id = :webhook_id order by id desc limit :newest) ended
    union all select * from (select id, created_at, status, attempts, cast(null as bigint) as duration_ms
      from delivery_queue where webhook_id = :webhook_id order by id desc limit :newest) waiting)`

/** Of the newest deliveries only, so that a busy webhook costs no more than a quiet one. */
export const outcomesByHour = query({
  name: 'deliveries.outcomes_by_hour',
  params: { webhook_id: 'text', since: 'int', newest: 'int', hour_ms: 'int' },
  returns: { hour: 'int', status: 'text', total: 'int' },
  lane: 'list',
  sql: `select cast(created_at / :hour_ms as bigint) as hour, status, count(*) as total from (
          select d.created_at, d.status, d.attempts from ${newestTo} d order by d.id desc limit :newest) newest
        where created_at >= :since and attempts > 0 group by 1, 2`,
})

export const recentDurations = query({
  name: 'attempts.recent_durations',
  params: { webhook_id: 'text', newest: 'int' },
  returns: { duration_ms: 'int' },
  lane: 'list',
  sql: `with newest as (select d.id, d.duration_ms from ${newestTo} d order by d.id desc limit :newest)
        select duration_ms from newest where duration_ms is not null
        union all select a.duration_ms from newest join attempts a on a.delivery_id = newest.id
        order by duration_ms`,
})
