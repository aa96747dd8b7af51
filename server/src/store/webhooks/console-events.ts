import { anyAttempt } from '../accounts/guesses.ts'
import { query } from '../engine/operation.ts'
import { anyDelivery } from './deliveries.ts'

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
  sql: `with told as (select e.id, w.id as webhook_id from events e join webhooks w on w.account_id = e.account_id
          where e.id in {list:ids})
        select d.id, d.event_id, d.webhook_id, w.url, d.status, d.attempts, d.due_at
        from ${anyDelivery(
          'true',
          `join told on d.webhook_id = told.webhook_id
            and d.id > 'dlv_' || substr(told.id, 5) and d.id < 'dlv_' || substr(told.id, 5) || 'z'`,
        )} d join webhooks w on w.id = d.webhook_id
        order by d.id`,
})

/** What listeners were handed of these events: it has ids of its own, and is found by the message. */
export const forwardedOfEvents = query({
  name: 'deliveries.forwarded_of_events',
  params: { account_id: 'text', ids: 'text[]' },
  returns: { id: 'text', event_id: 'text', webhook_id: 'text', status: 'text', attempts: 'int', due_at: 'int' },
  lane: 'list',
  sql: `select d.id, d.event_id, d.webhook_id, d.status, d.attempts, d.created_at as due_at
        from deliveries d join listeners l on l.id = d.webhook_id
        where d.event_id in {list:ids} and d.account_id = :account_id
        order by d.id limit 500`,
})

/** Deliveries of an account from one id to another; a webhook that is gone has none. */
export const deliveriesBetween = query({
  name: 'deliveries.between',
  params: { account_id: 'text', first: 'text', last: 'text' },
  returns: { id: 'text', webhook_id: 'text', url: 'text', type: 'text', status: 'text' },
  lane: 'list',
  sql: `with receivers as (select id, url from webhooks where account_id = :account_id
          union all select id, 'postern listen' from listeners where account_id = :account_id)
        select d.id, d.webhook_id, r.url, d.type, d.status
        from ${anyDelivery(`d.webhook_id in (select id from receivers) and d.id >= :first and d.id <= :last`)} d
          join receivers r on r.id = d.webhook_id
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
  sql: `select delivery_id, status_code, error_code, duration_ms, started_at from (
          select a.*, row_number() over (partition by a.delivery_id order by a.id desc) as nth
          from ${anyAttempt('d.id in {list:ids}')} a) newest
        where nth = 1`,
})
