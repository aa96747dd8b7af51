import { query } from '../engine/operation.ts'

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
