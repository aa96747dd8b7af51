import { attemptColumns } from '../accounts/guesses.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

const listenerColumns = {
  id: 'text',
  account_id: 'text',
  key_id: 'text',
  created_at: 'int',
  seen_at: 'int',
} as const

export type ListenerRow = RowOf<typeof listenerColumns>

/**
 * Takes up the listener of an API key, or makes it. Repeated while the listener is connected, so that it is not
 * removed.
 */
export const takeListener = operation({
  name: 'listeners.take',
  input: listenerColumns,
  key: ['account_id', 'key_id'],
  returns: { id: 'text', account_id: 'text', key_id: 'text' },
  sql: `insert into listeners (id, account_id, key_id, created_at, seen_at)
        select id, account_id, key_id, created_at, seen_at from rows where true
        on conflict (account_id, key_id) do update set seen_at = excluded.seen_at
        returning id, account_id, key_id`,
})

export const findListener = query({
  name: 'listeners.find',
  params: { id: 'text', account_id: 'text' },
  returns: listenerColumns,
  sql: `select id, account_id, key_id, created_at, seen_at from listeners
        where id = :id and account_id = :account_id`,
})

/** Those that are connected: seen after `since`. */
export const listListeners = query({
  name: 'listeners.list',
  params: { account_id: 'text', since: 'int' },
  returns: { id: 'text', key_name: 'text?', seen_at: 'int' },
  sql: `select l.id, k.name as key_name, l.seen_at from listeners l left join api_keys k on k.id = l.key_id
        where l.account_id = :account_id and l.seen_at > :since order by l.id`,
})

export const removeListeners = operation({
  name: 'listeners.remove',
  input: { before: 'int' },
  returns: { id: 'text' },
  alone: true,
  sql: `delete from listeners where id in (
          select id from listeners where seen_at < (select before from rows) order by seen_at limit 1000)
        returning id`,
})

/** The end of the feed as it stands: everything that commits from now on comes behind it. */
export const feedEnd = query({
  name: 'events.feed_end',
  params: { account_id: 'text' },
  returns: { tx: 'int', seq: 'int' },
  sql: `select tx, seq from events where account_id = :account_id and tx < {settled}
        order by tx desc, seq desc limit 1`,
})

/**
 * What was forwarded is never tried again by itself: the row is there with the attempt, and finished. Its message is the
 * one that its event names.
 */
export const insertForwarded = operation({
  name: 'deliveries.insert_forwarded',
  input: {
    id: 'text',
    webhook_id: 'text',
    account_id: 'text',
    event_id: 'text',
    type: 'text',
    status: 'text',
    cause: 'text',
    outcome: 'text',
    started_at: 'int',
    created_at: 'int',
  },
  wakes: 'attempts',
  sql: `insert into deliveries (id, webhook_id, account_id, event_id, type, status, attempts, cause, last_outcome,
          last_attempt_at, created_at)
        select id, webhook_id, account_id, event_id, type, status, 1, cause, outcome, started_at, created_at
        from rows where true
        on conflict do nothing`,
})

const attemptList = Object.keys(attemptColumns).join(', ')

/** No claim stands behind it, so it is never late. Reported twice, it is one attempt. */
export const insertForwardedAttempt = operation({
  name: 'attempts.insert_forwarded',
  input: attemptColumns,
  sql: `insert into attempts (${attemptList}, late) select ${attemptList}, 0 from rows where true
        on conflict (delivery_id, id) do nothing`,
})
