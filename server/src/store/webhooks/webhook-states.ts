import { operation, query } from '../engine/operation.ts'
import { stateColumns, webhookColumns } from './webhooks.ts'

/** The changes of counters by what `countsOf` gives, called `done`. */
export const countedChanges = `total_sent = webhook_states.total_sent + done.sent,
  total_failed = webhook_states.total_failed + done.failed,
  last_triggered = {max}(coalesce(webhook_states.last_triggered, 0), done.started_at),
  last_success = coalesce({max}(webhook_states.last_success, done.succeeded_at), done.succeeded_at, webhook_states.last_success),
  paused_until = {max}(webhook_states.paused_until, done.pause_until),
  warned_at = case when done.delivered > 0 then null else webhook_states.warned_at end,
  failing_since = case when done.delivered > 0 then null
    else coalesce(webhook_states.failing_since, done.failing_since) end`

/**
 * Counters count notifications, never attempts: the first attempt of a delivery counts it as sent, and it is failed as
 * long as its latest attempt failed. What an earlier address did, or asked for, says nothing about how the present one is.
 * `tried` names the attempts, `before` their deliveries as they were, `w` is the webhook.
 */
export const countsOf = (tried: string, before: string) => `select ${before}.webhook_id,
  sum(case when ${before}.last_outcome is null then 1 else 0 end) as sent,
  sum(case when ${tried}.outcome = 'failed' then 1 else 0 end
    - case when ${before}.last_outcome = 'failed' then 1 else 0 end) as failed,
  sum(case when ${tried}.outcome = 'ok' and ${tried}.url = w.url then 1 else 0 end) as delivered,
  max(${tried}.started_at) as started_at,
  max(case when ${tried}.outcome = 'ok' and ${tried}.url = w.url then ${tried}.started_at end) as succeeded_at,
  min(case when ${tried}.outcome = 'failed' and ${tried}.url = w.url then ${tried}.started_at end) as failing_since,
  max(case when ${tried}.url = w.url then ${tried}.pause_until else 0 end) as pause_until`

/** Only the holder of the claim counts; the row is read before the delivery changes. */
export const countAttempts = operation({
  name: 'webhook_states.count',
  input: {
    delivery_id: 'text',
    webhook_id: 'text',
    claim: 'text',
    url: 'text',
    outcome: 'text',
    started_at: 'int',
    pause_until: 'int',
  },
  sql: `update webhook_states set ${countedChanges}
        from (${countsOf('rows', 'd')}
          from rows join delivery_claims c on c.delivery_id = rows.delivery_id and c.claim = rows.claim
            join delivery_queue d on d.webhook_id = c.webhook_id and d.id = c.delivery_id
            left join webhooks w on w.id = d.webhook_id
          group by d.webhook_id order by d.webhook_id
        ) done
        where webhook_states.webhook_id = done.webhook_id`,
})

/** Claimed by the process that sets it first, so that each stretch of failure is warned of once. */
export const markWarned = operation({
  name: 'webhook_states.mark_warned',
  input: { webhook_id: 'text', now: 'int' },
  key: ['webhook_id'],
  returns: { webhook_id: 'text' },
  required: true,
  sql: `update webhook_states set warned_at = rows.now from rows
        where webhook_states.webhook_id = rows.webhook_id and webhook_states.warned_at is null
          and webhook_states.failing_since is not null
        returning webhook_states.webhook_id`,
})

/** A webhook that is switched on again, or moves, starts with a clean record; its counters stay. */
export const forgiveWebhook = operation({
  name: 'webhook_states.forgive',
  input: { webhook_id: 'text' },
  key: ['webhook_id'],
  sql: `update webhook_states set failing_since = null, warned_at = null, paused_until = 0
        from rows where webhook_states.webhook_id = rows.webhook_id`,
})

/** The first to find that something expired tells of it. */
export const markOverfull = operation({
  name: 'webhook_states.mark_overfull',
  input: { webhook_id: 'text', now: 'int' },
  key: ['webhook_id'],
  returns: { webhook_id: 'text' },
  required: true,
  sql: `update webhook_states set overfull_since = rows.now from rows
        where webhook_states.webhook_id = rows.webhook_id and webhook_states.overfull_since is null
        returning webhook_states.webhook_id`,
})

/** Told of once more only after the receiver was back. */
export const clearOverfull = operation({
  name: 'webhook_states.clear_overfull',
  input: { _: 'int' },
  alone: true,
  sql: 'update webhook_states set overfull_since = null where overfull_since is not null and failing_since is null',
})

/** The newest deliveries to webhook `w` whose latest attempt failed, those that are tried again and those that are not. */
const lastFailed = `(select * from (select d.id, d.last_attempt_at from delivery_queue d
      where d.webhook_id = w.id and d.last_outcome = 'failed' order by d.id desc limit 10) trying
    union all select * from (select d.id, d.last_attempt_at from deliveries d
      where d.webhook_id = w.id and d.status in ('failed', 'skipped', 'cancelled', 'expired') and d.last_outcome = 'failed'
      order by d.id desc limit 10) given_up)`

const failingColumns = { ...webhookColumns, ...stateColumns, warned_at: 'int?', failed_deliveries: 'int' } as const

/** Active webhooks that have not succeeded since `before`, with how many deliveries failed meanwhile (up to ten). */
export const listFailing = query({
  name: 'webhook_states.failing',
  params: { before: 'int' },
  returns: failingColumns,
  lane: 'list',
  sql: `select ${Object.keys(webhookColumns)
    .map((column) => `w.${column}`)
    .join(', ')}, s.total_sent, s.total_failed, s.last_triggered, s.last_success, s.failing_since, s.warned_at,
          (select count(*) from (select 1 from ${lastFailed} d where d.last_attempt_at >= s.failing_since limit 10) recent)
            as failed_deliveries
        from webhook_states s join webhooks w on w.id = s.webhook_id
        where s.failing_since is not null and s.failing_since <= :before and w.active = 1`,
})

const lastFailure = (column: string) => `(select a.${column} from attempts a where a.delivery_id = (
    select d.id from ${lastFailed} d order by d.id desc limit 1)
  order by a.id desc limit 1)`

/** Active webhooks of all accounts that fail, or whose receiver asked for a pause. */
export const listFailingEverywhere = query({
  name: 'webhook_states.failing_everywhere',
  params: { now: 'int' },
  returns: {
    webhook_id: 'text',
    account_id: 'text',
    account_name: 'text?',
    url: 'text',
    failing_since: 'int?',
    paused_until: 'int',
    oldest_due_at: 'int?',
    status_code: 'int?',
    error_code: 'text?',
  },
  lane: 'list',
  sql: `select w.id as webhook_id, w.account_id, a.name as account_name, w.url, s.failing_since, s.paused_until,
          (select d.due_at from delivery_queue d where d.webhook_id = w.id and d.status = 'pending'
            order by d.due_at limit 1) as oldest_due_at,
          ${lastFailure('status_code')} as status_code, ${lastFailure('error_code')} as error_code
        from webhook_states s join webhooks w on w.id = s.webhook_id left join accounts a on a.id = w.account_id
        where w.active = 1 and (s.failing_since is not null or s.paused_until > :now)
        order by coalesce(s.failing_since, s.paused_until), w.id`,
})

/** Accounts that have used at least `used_min` of this day and were not warned of it yet. */
export const listUnwarned = query({
  name: 'quota_warnings.unwarned',
  params: { day_start: 'int', used_min: 'int' },
  returns: { account_id: 'text', plan: 'text', day_used: 'int' },
  lane: 'list',
  sql: `select q.account_id, a.plan, q.day_used from quotas q join accounts a on a.id = q.account_id
        where q.day_start = :day_start and q.day_used >= :used_min and not exists (
          select 1 from quota_warnings w where w.account_id = q.account_id and w.day_start >= :day_start)`,
})

/** Claimed by the process that sets it first, so that each window is warned of once. */
export const markQuotaWarned = operation({
  name: 'quota_warnings.mark',
  input: { account_id: 'text', day_start: 'int' },
  key: ['account_id'],
  returns: { account_id: 'text' },
  required: true,
  sql: `insert into quota_warnings (account_id, day_start) select account_id, day_start from rows where true
        on conflict (account_id) do update set day_start = excluded.day_start
        where quota_warnings.day_start < excluded.day_start
        returning account_id`,
})
