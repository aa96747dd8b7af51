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

export const expireKeyCalls = operation({
  name: 'key_calls.expire',
  input: { before: 'int', count: 'int' },
  returns: { hour_start: 'int' },
  alone: true,
  sql: `delete from key_calls where (account_id, hour_start, key_id) in (
          select account_id, hour_start, key_id from key_calls where hour_start < (select before from rows)
          order by hour_start limit (select count from rows))
        returning hour_start`,
})
