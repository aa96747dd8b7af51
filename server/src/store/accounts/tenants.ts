import { query } from '../engine/operation.ts'

/** What an operator sees of an account: counts and states. Bounded by the page, and each count by an index of the account. */
export const listTenants = query({
  name: 'accounts.tenants',
  params: { after: 'text', count: 'int', day_start: 'int' },
  returns: {
    id: 'text',
    name: 'text',
    plan: 'text',
    status: 'text',
    delete_at: 'int?',
    created_at: 'int',
    requests_today: 'int',
    media_bytes: 'int',
    members: 'int',
    has_owner: 'int',
    channels_failing: 'int',
    webhooks_failing: 'int',
    last_seen_at: 'int?',
    last_used_at: 'int?',
  },
  lane: 'list',
  sql: `select a.id, a.name, a.plan, a.status, a.delete_at, a.created_at,
          coalesce((select q.day_used from quotas q where q.account_id = a.id and q.day_start >= :day_start), 0)
            as requests_today,
          coalesce((select u.bytes from media_usage u where u.account_id = a.id), 0) as media_bytes,
          (select count(*) from members m where m.account_id = a.id and m.joined_at is not null) as members,
          case when exists (select 1 from members m where m.account_id = a.id and m.role = 'owner'
            and m.joined_at is not null) then 1 else 0 end as has_owner,
          (select count(*) from channels c where c.account_id = a.id and c.disconnected_at is null
            and c.status <> 'connected') as channels_failing,
          (select count(*) from webhooks w join webhook_states s on s.webhook_id = w.id
            where w.account_id = a.id and w.active = 1 and s.failing_since is not null) as webhooks_failing,
          (select max(s.last_seen_at) from sessions s where s.account_id = a.id) as last_seen_at,
          (select max(k.last_used_at) from api_keys k where k.account_id = a.id) as last_used_at
        from accounts a where a.id > :after order by a.id limit :count`,
})

/** Channels of all accounts whose token Meta rejects. */
export const listLostTokens = query({
  name: 'channels.lost_tokens',
  params: {},
  returns: { id: 'text', account_id: 'text', account_name: 'text', since: 'int' },
  lane: 'list',
  sql: `select c.id, c.account_id, a.name as account_name, c.updated_at as since
        from channels c join accounts a on a.id = c.account_id
        where c.disconnected_at is null and c.status = 'auth_failed' order by c.updated_at limit 100`,
})

/** Restrictions that Meta reported and has not ended. */
export const listRestrictions = query({
  name: 'told_states.restrictions',
  params: {},
  returns: { subject: 'text', account_id: 'text', account_name: 'text', value: 'text', since: 'int' },
  lane: 'list',
  sql: `select t.subject, t.account_id, a.name as account_name, t.value, t.at as since
        from told_states t join accounts a on a.id = t.account_id
        where t.topic in ('standing', 'connection') and t.value <> 'ok' order by t.at limit 100`,
})

/** Jobs whose last tries failed. What they said may name a customer, so it stays in the log. */
export const listFailingJobs = query({
  name: 'jobs.failing',
  params: { attempts: 'int' },
  returns: { kind: 'text', count: 'int', attempts: 'int', since: 'int' },
  lane: 'list',
  sql: `select kind, count(*) as count, max(attempts) as attempts, min(created_at) as since from jobs
        where last_error is not null and attempts >= :attempts group by kind order by kind`,
})

/** How much work waits, and the oldest of it. */
export const countQueues = query({
  name: 'installation.queues',
  params: { now: 'int' },
  returns: {
    sends: 'int',
    sends_due_at: 'int?',
    callbacks: 'int',
    jobs: 'int',
    jobs_due_at: 'int?',
  },
  lane: 'list',
  sql: `select (select count(*) from waiting_sends) as sends,
          (select min(due_at) from waiting_sends where held = 0 and due_at <= :now) as sends_due_at,
          (select count(*) from callback_queue) as callbacks,
          (select count(*) from jobs where run_at <= :now) as jobs,
          (select min(run_at) from jobs where run_at <= :now) as jobs_due_at`,
})
