import type { CompiledQuery } from 'kysely'
import { dayMs, minuteMs } from '../../lib/durations.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { kysely, listCompiler } from '../engine/cursor.ts'
import { type Engine, translate } from '../engine/dialect.ts'
import type { Condition, Listing } from '../engine/list.ts'
import { query } from '../engine/operation.ts'
import { type DeliveryRow, eventOf, messageOf, unclaimed } from './deliveries.ts'
import type { EventRow } from './events.ts'

type EventTable = EventRow & { tx: number; seq: number }

type DeliveryFilters = {
  webhookId: string
  statuses: readonly string[] | null
  type: string | null
  since: number | null
  until: number | null
}

type DeliveryTable = 'delivery_queue' | 'deliveries'

/**
 * Newest first, of what waits or of what ended. Ids begin with the time, so the order of ids is the order of age, and a time
 * bounds the days that are looked at.
 */
export function deliveryListing(table: DeliveryTable, filters: DeliveryFilters): Listing<DeliveryRow> {
  const { webhookId, since, until } = filters
  const bounds = [
    ...(since === null ? [] : [`r.id >= '${firstIdAt('dlv', since - slackMs)}'`]),
    ...(until === null ? [] : [`r.id < '${firstIdAt('dlv', until + dayMs)}'`]),
  ]
  return {
    table,
    columns: columnsOf(table),
    key: ['webhook_id', 'id'],
    fixed: { webhook_id: webhookId },
    along: ['id'],
    order: 'desc',
    time: 'created_at',
    only: bounds.length === 0 ? undefined : bounds.join(' and '),
    filters: conditionsOf(table, filters),
  }
}

/** Of a few events, those of one message: their ids lead to the deliveries, however old they are. */
export function deliveriesOf(
  engine: Engine,
  table: DeliveryTable,
  filters: DeliveryFilters,
  { eventIds, before, count }: { eventIds: readonly string[]; before: string | null; count: number },
): CompiledQuery<DeliveryRow> {
  const { sql } = kysely()
  const theirs = eventIds.map((id) => sql`(r.id > ${deliveryOf(id)} and r.id < ${`${deliveryOf(id)}z`})`)
  const forwarded = table === 'deliveries' ? [sql`r.event_id in (${sql.join(['', ...eventIds])})`] : []
  const conditions = [
    sql`r.webhook_id = ${filters.webhookId}`,
    sql`(${sql.join([sql`1 = 0`, ...theirs, ...forwarded], sql` or `)})`,
    ...conditionsOf(table, filters),
    ...(before === null ? [] : [sql`r.id < ${before}`]),
  ]
  return sql`select ${sql.raw(columnsOf(table))} from ${sql.raw(`${table} r`)} where ${sql.join(conditions, sql` and `)}
    order by r.id desc limit ${count}`.compile(listCompiler(engine)) as CompiledQuery<DeliveryRow>
}

function columnsOf(table: DeliveryTable): string {
  const waits = table === 'delivery_queue'
  const event = waits ? eventOf('r') : `coalesce(r.event_id, ${eventOf('r')})`
  return `r.id, r.webhook_id, ${event} as event_id, r.type, ${messageOf('r', event)} as message_id,
    ${statusIn(table)} as status, ${waits ? 'r.due_at' : 'r.created_at'} as due_at, r.attempts, r.created_at`
}

function statusIn(table: DeliveryTable): string {
  return table === 'deliveries'
    ? 'r.status'
    : `case when r.status <> 'pending' or ${unclaimed('r')} then r.status else 'sending' end`
}

function conditionsOf(table: DeliveryTable, { statuses, type, since, until }: DeliveryFilters): Condition[] {
  const { sql } = kysely()
  return [
    ...(statuses === null ? [] : [sql`${sql.raw(statusIn(table))} in (${sql.join([...statuses])})`]),
    ...(type === null ? [] : [sql`r.type = ${type}`]),
    ...(since === null ? [] : [sql`r.created_at >= ${since}`]),
    ...(until === null ? [] : [sql`r.created_at < ${until}`]),
  ]
}

/** An id was made a moment before the delivery's own time, and is ahead of it where a clock was set back. */
const slackMs = minuteMs

const deliveryOf = (eventId: string) => `dlv_${eventId.slice(4)}`

type FeedFilters = {
  accountId: string
  type: string | null
  since: number | null
  /** Time of the reader's last event, or its start; 0 if unknown. */
  from: number
  /** An id under which a message may have been told of. */
  messageId: string | null
}

export type FeedRow = Omit<EventTable, 'account_id'>

/** An event is never committed more than this after its time; a feed that starts at a time starts looking here. */
export const commitLagMsMax = minuteMs

/**
 * The feed in commit order. On PostgreSQL only transactions older than every running one are shown: a sequence number
 * is drawn before the commit, so a later reader could otherwise find a smaller one behind its cursor.
 */
export function feedListing(engine: Engine, filters: FeedFilters): Listing<FeedRow> {
  const { accountId, type, since, from, messageId } = filters
  const { sql } = kysely()
  return {
    table: 'events',
    columns: 'r.tx, r.seq, r.id, r.type, r.subject, r.sequence, r.created_at, r.body',
    key: ['id'],
    // A message has few events; they are found by it, and sorted.
    fixed: messageId === null ? { account_id: accountId } : { subject: messageId },
    along: ['tx', 'seq'],
    order: 'asc',
    time: 'created_at',
    // Clocks of nodes differ, and transactions last: a day before it is enough. It tells PostgreSQL which days it can leave out.
    only: `r.tx < ${translate(engine, '{settled}')}${from === 0 ? '' : ` and r.id >= '${firstIdAt('evt', from - dayMs)}'`}`,
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
