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

/** The columns that render the body of event `e` (events/publish-event.ts), besides its id and type. */
export const eventParts = { event_subject: 'text?', event_sequence: 'int?', event_at: 'int?' } as const
export const eventPartsOf = 'e.subject as event_subject, e.sequence as event_sequence, e.created_at as event_at'

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
 * How long the feed has shown nothing new although there is: of these ids, each the first of a moment, the oldest whose youngest
 * event before it is not settled. Moments, because each is one look into the index of ids, however many events wait.
 */
export const feedLag = query({
  name: 'events.feed_lag',
  params: { ids: 'text[]' },
  returns: { id: 'text?' },
  lane: 'list',
  sql: `select min(m.value) as id from {list:ids} m
        where (select e.tx from events e where e.id < m.value order by e.id desc limit 1) >= {settled}`,
})

/** Where a reader begins that wants what was recorded since a time, by the first id of that time. */
export const feedStart = query({
  name: 'events.feed_start',
  params: { first_id: 'text' },
  returns: { tx: 'int', seq: 'int' },
  sql: 'select tx, seq from events where id >= :first_id order by id limit 1',
})

/**
 * The newest event, when its transaction has a number that this PostgreSQL never gave: the events were copied from
 * another cluster, and the feed would not show them.
 */
export const newestForeignEvent = query({
  name: 'events.newest_foreign',
  params: {},
  returns: { id: 'text' },
  sql: `select id from (select id, tx from events order by id desc limit 1) newest where tx >= {unused_tx}`,
})

/** The same for any event; reads them all. */
export const lastEventAmongForeign = query({
  name: 'events.last_among_foreign',
  params: {},
  returns: { id: 'text' },
  lane: 'list',
  sql: 'select id from (select max(id) as id, max(tx) as tx from events) newest where tx >= {unused_tx}',
})

/** Puts a bounded number of events before everything to come; among each other they keep the order of `seq`. */
export const settleEvents = operation({
  name: 'events.settle',
  input: { after: 'text', last: 'text', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `next as (select id from events where id > (select after from rows) and id <= (select last from rows)
           order by id limit (select count from rows))`,
  sql: 'update events set tx = 0 where id {in:next} returning id',
})
