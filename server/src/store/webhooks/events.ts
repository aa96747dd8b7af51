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

/** Deletes a bounded number, so that one run never holds the writer for long. */
export const expireEvents = operation({
  name: 'events.expire',
  input: { before: 'int', count: 'int' },
  returns: { seq: 'int' },
  alone: true,
  sql: `delete from events where seq in (
          select seq from events where created_at < (select before from rows) order by created_at
          limit (select count from rows))
        returning seq`,
})
