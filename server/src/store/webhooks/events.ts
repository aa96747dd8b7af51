import { operation, query, type RowOf } from '../engine/operation.ts'

export const eventColumns = {
  id: 'text',
  account_id: 'text',
  type: 'text',
  subject: 'text?',
  sequence: 'int',
  created_at: 'int',
  body: 'text',
} as const

export type EventRow = RowOf<typeof eventColumns>

export const insertEvent = operation({
  name: 'events.insert',
  input: { ...eventColumns, traceparent: 'text?' },
  wakes: 'events',
  sql: `insert into events (tx, id, account_id, type, subject, sequence, created_at, body, traceparent)
        select {tx}, id, account_id, type, subject, sequence, created_at, body, traceparent from rows`,
})

/**
 * The feed in commit order. On PostgreSQL only transactions older than every running one are shown: a sequence number
 * is drawn before the commit, so a later reader could otherwise find a smaller one behind its cursor.
 */
export const readFeed = query({
  name: 'events.feed',
  params: { account_id: 'text', after_tx: 'int', after_seq: 'int', count: 'int' },
  returns: { tx: 'int', seq: 'int', ...eventColumns },
  lane: 'list',
  sql: `select tx, seq, id, account_id, type, subject, sequence, created_at, body from events
        where account_id = :account_id and (tx, seq) > (:after_tx, :after_seq) and tx < {settled}
        order by tx, seq limit :count`,
})

export const findEvents = query({
  name: 'events.find',
  params: { ids: 'text[]' },
  returns: eventColumns,
  sql: `select id, account_id, type, subject, sequence, created_at, body from events where id in {list:ids}`,
})

/**
 * How long the feed has shown nothing new although there is: the largest of these ages whose youngest event is not settled.
 * Steps, because each is one look into the index of times, however many events wait.
 */
export const feedLag = query({
  name: 'events.feed_lag',
  params: { now: 'int' },
  returns: { lag: 'int' },
  lane: 'list',
  sql: `with ages(age) as (values (10000), (30000), (60000), (120000), (300000), (900000), (3600000), (21600000))
        select coalesce(max(age), 0) as lag from ages
        where (select e.tx from events e where e.created_at <= :now - ages.age
          order by e.created_at desc, e.seq desc limit 1) >= {settled}`,
})

/** Where a reader begins that wants what was recorded since a time. */
export const feedStart = query({
  name: 'events.feed_start',
  params: { since: 'int' },
  returns: { tx: 'int', seq: 'int' },
  sql: 'select tx, seq from events where created_at >= :since order by created_at, seq limit 1',
})

/**
 * The newest event, when its transaction has a number that this PostgreSQL never gave: the events were copied from
 * another cluster, and the feed would not show them.
 */
export const newestForeignEvent = query({
  name: 'events.newest_foreign',
  params: {},
  returns: { seq: 'int' },
  sql: `select seq from (select seq, tx from events order by seq desc limit 1) newest where tx >= {unused_tx}`,
})

/** The same for any event; reads them all. */
export const lastEventAmongForeign = query({
  name: 'events.last_among_foreign',
  params: {},
  returns: { seq: 'int' },
  lane: 'list',
  sql: 'select seq from (select max(seq) as seq, max(tx) as tx from events) newest where tx >= {unused_tx}',
})

/** Puts a bounded number of events before everything to come; among each other they keep the order of `seq`. */
export const settleEvents = operation({
  name: 'events.settle',
  input: { after: 'int', last: 'int', count: 'int' },
  returns: { seq: 'int' },
  alone: true,
  ctes: `next as (select seq from events where seq > (select after from rows) and seq <= (select last from rows)
           order by seq limit (select count from rows))`,
  sql: 'update events set tx = 0 where seq {in:next} returning seq',
})

/**
 * Something still waits to be sent with the body of event `e`. Ids of its deliveries are its own with two digits behind it,
 * so this is a short range of their primary key.
 */
const isWaitedFor = `exists (select 1 from webhooks w join delivery_queue d on d.webhook_id = w.id
    and d.id > 'dlv_' || substr(e.id, 5) and d.id < 'dlv_' || substr(e.id, 5) || ':'
  where w.account_id = e.account_id)`

/** The oldest, behind `after`, and whether a delivery waits for them. */
export const listOldestEvents = query({
  name: 'events.oldest',
  params: { before: 'int', after_at: 'int', after_seq: 'int', count: 'int' },
  returns: { seq: 'int', created_at: 'int', waited_for: 'int' },
  lane: 'list',
  sql: `select e.seq, e.created_at, case when ${isWaitedFor} then 1 else 0 end as waited_for
        from events e where (e.created_at, e.seq) > (:after_at, :after_seq) and e.created_at < :before
        order by e.created_at, e.seq limit :count`,
})

export const deleteEvent = operation({
  name: 'events.delete',
  input: { seq: 'int' },
  key: ['seq'],
  sql: 'delete from events where seq in (select seq from rows)',
})
