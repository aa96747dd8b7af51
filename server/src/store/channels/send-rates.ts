import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

export const ensureRateKey = operation({
  name: 'pacing.ensure',
  input: { slot_key: 'text' },
  key: ['slot_key'],
  sql: 'insert into pacing (slot_key, empty_at) select slot_key, 0 from rows where true on conflict (slot_key) do nothing',
})

/**
 * PostgreSQL only; one SQLite process keeps its rate in memory. Reserves up to `wanted` sends, one every `every_ms`, none
 * starting after `latest_at`; gives how many and when the first starts. The row lock makes all nodes one queue.
 */
export const reserveSends = operation({
  name: 'pacing.reserve',
  input: { slot_key: 'text', wanted: 'int', every_ms: 'real', latest_at: 'real', now: 'int' },
  key: ['slot_key'],
  returns: { slot_key: 'text', granted: 'int', started_at: 'real' },
  ctes: `locked as (
      select q.slot_key, r.wanted, r.every_ms, r.latest_at, greatest(q.empty_at, r.now) as started_at
      from pacing q join rows r on r.slot_key = q.slot_key order by q.slot_key for update of q),
    granting as (
      select locked.*, greatest(0, least(wanted, floor((latest_at - started_at) / every_ms) + 1)) as granted from locked)`,
  sql: `update pacing set empty_at = g.started_at + g.granted * g.every_ms from granting g
        where pacing.slot_key = g.slot_key
        returning pacing.slot_key, g.granted, g.started_at`,
})

export const returnReserved = operation({
  name: 'pacing.give_back',
  input: { slot_key: 'text', by_ms: 'real' },
  key: ['slot_key'],
  sql: `update pacing set empty_at = empty_at - rows.by_ms from rows where pacing.slot_key = rows.slot_key`,
})

export const findRate = query({
  name: 'pacing.find',
  params: { slot_key: 'text' },
  returns: { empty_at: 'real' },
  sql: 'select empty_at from pacing where slot_key = :slot_key',
})

/** Keys whose bucket is empty are as good as unknown. */
export const expireRateKeys = expireBefore({ table: 'pacing', key: ['slot_key'], time: 'empty_at' })
