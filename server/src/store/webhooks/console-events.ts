import { query } from '../engine/operation.ts'

const eventColumns = { id: 'text', type: 'text', subject: 'text?', created_at: 'int' } as const

export const newestEvents = query({
  name: 'events.newest',
  params: { account_id: 'text', count: 'int' },
  returns: eventColumns,
  lane: 'list',
  sql: `select id, type, subject, created_at from events where account_id = :account_id
        order by tx desc, seq desc limit :count`,
})

export const eventsAbout = query({
  name: 'events.about',
  params: { account_id: 'text', subjects: 'text[]' },
  returns: eventColumns,
  lane: 'list',
  sql: `select id, type, subject, created_at from events
        where subject in {list:subjects} and (account_id || '') = :account_id order by seq limit 100`,
})

/** The id of a delivery is that of its event with two digits behind it, so the primary key finds them. */
export const deliveriesOfEvents = query({
  name: 'deliveries.of_events',
  params: { ids: 'text[]' },
  returns: {
    id: 'text',
    event_id: 'text',
    webhook_id: 'text',
    url: 'text',
    status: 'text',
    attempts: 'int',
    due_at: 'int',
  },
  lane: 'list',
  sql: `select d.id, d.event_id, d.webhook_id, w.url, d.status, d.attempts, d.due_at
        from events e
        join deliveries d on d.id > 'dlv_' || substr(e.id, 5) and d.id < 'dlv_' || substr(e.id, 5) || 'z'
        join webhooks w on w.id = d.webhook_id
        where e.id in {list:ids} order by d.id`,
})

/** What listeners were handed of these events: it has ids of its own, and is found by the message. */
export const forwardedOfEvents = query({
  name: 'deliveries.forwarded_of_events',
  params: { account_id: 'text', ids: 'text[]', message_ids: 'text[]' },
  returns: { id: 'text', event_id: 'text', webhook_id: 'text', status: 'text', attempts: 'int', due_at: 'int' },
  lane: 'list',
  sql: `select d.id, d.event_id, d.webhook_id, d.status, d.attempts, d.due_at
        from deliveries d join listeners l on l.id = d.webhook_id
        where d.message_id in {list:message_ids} and d.event_id in {list:ids} and d.account_id = :account_id
        order by d.id limit 500`,
})

/** Deliveries of an account from one id to another; a webhook that is gone has none. */
export const deliveriesBetween = query({
  name: 'deliveries.between',
  params: { account_id: 'text', first: 'text', last: 'text' },
  returns: { id: 'text', webhook_id: 'text', url: 'text', type: 'text', status: 'text' },
  lane: 'list',
  sql: `select d.id, d.webhook_id, coalesce(w.url, 'postern listen') as url, d.type, d.status from deliveries d
        left join webhooks w on w.id = d.webhook_id left join listeners l on l.id = d.webhook_id
        where d.id >= :first and d.id <= :last and d.account_id = :account_id and coalesce(w.id, l.id) is not null
        order by d.id limit 100`,
})

export const messageOfEvent = query({
  name: 'events.message_of',
  params: { account_id: 'text', id: 'text' },
  returns: { message_id: 'text' },
  sql: `select subject as message_id from events
        where id = :id and account_id = :account_id and type like 'message.%' and subject is not null`,
})

/** The latest attempt of each delivery. */
export const latestAttempts = query({
  name: 'attempts.latest',
  params: { ids: 'text[]' },
  returns: { delivery_id: 'text', status_code: 'int?', error_code: 'text?', duration_ms: 'int', started_at: 'int' },
  lane: 'list',
  sql: `select a.delivery_id, a.status_code, a.error_code, a.duration_ms, a.started_at from attempts a
        where a.delivery_id in {list:ids} and a.id = (
          select max(b.id) from attempts b where b.delivery_id = a.delivery_id)`,
})
