import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

/** Calls of an API key by UTC hour. */
export const addKeyCalls = operation({
  name: 'key_calls.add',
  input: { account_id: 'text', key_id: 'text', hour_start: 'int', calls: 'int' },
  key: ['account_id', 'key_id', 'hour_start'],
  sql: `insert into key_calls (account_id, hour_start, key_id, calls)
        select account_id, hour_start, key_id, calls from rows where true
        on conflict (account_id, hour_start, key_id) do update set calls = key_calls.calls + excluded.calls`,
})

/** One row per key and hour is read, however many calls there were. */
export const sumKeyCalls = query({
  name: 'key_calls.sum',
  params: { account_id: 'text', since: 'int' },
  returns: { key_id: 'text', calls: 'int' },
  sql: `select key_id, sum(calls) as calls from key_calls
        where account_id = :account_id and hour_start >= :since group by key_id`,
})

export const expireKeyCalls = expireBefore({
  table: 'key_calls',
  key: ['account_id', 'hour_start', 'key_id'],
  time: 'hour_start',
})
