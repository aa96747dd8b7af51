import { operation, query, type RowOf } from '../engine/operation.ts'
import type { Unit } from '../engine/unit.ts'
import { backInQueue, keptAttempt, keptAttemptColumns, sendable } from './deliveries.ts'

/** `failed` is whatever did not reach the receiver and is not on its way; it has an index of its own. */
const statuses = {
  failed: `d.status in ('failed', 'skipped', 'cancelled', 'expired')`,
  all: `d.status in ('failed', 'skipped', 'cancelled', 'expired', 'delivered')`,
}

export type ReplayScope = keyof typeof statuses

/** Ids bound the search, times decide. */
const range = { since: 'int', until: 'int', first_id: 'text', last_id: 'text' } as const

function countIn<Scope extends ReplayScope>(scope: Scope) {
  return query({
    name: `deliveries.count_replayable_${scope}`,
    params: { webhook_id: 'text', ...range, types: 'text[]' },
    returns: { matched: 'int' },
    lane: 'list',
    sql: `select count(*) as matched from deliveries d
          where d.webhook_id = :webhook_id and d.id >= :first_id and d.id < :last_id and ${statuses[scope]}
            and d.created_at >= :since and d.created_at < :until and d.type in {list:types}`,
  })
}

export const countReplayable = { failed: countIn('failed'), all: countIn('all') }

/** One replay at a time: it begins only if the last one is still the one that was seen to be over. */
export const beginReplay = operation({
  name: 'webhook_states.begin_replay',
  input: { webhook_id: 'text', replay_id: 'text', expected: 'text', matched: 'int', enforce: 'int' },
  key: ['webhook_id'],
  returns: { webhook_id: 'text' },
  required: true,
  sql: `update webhook_states set replay_id = rows.replay_id, replay_matched = rows.matched
        from rows where webhook_states.webhook_id = rows.webhook_id
          and coalesce(webhook_states.replay_id, '') = rows.expected
          and exists (select 1 from webhooks w where w.id = rows.webhook_id and ${sendable})
        returning webhook_states.webhook_id`,
})

const back = backInQueue({
  status: `case when w.verification = 'verified' or rows.enforce = 0 then 'pending' else 'held' end`,
  due_at: 'rows.now',
  cause: `'replay'`,
  replay_id: 'rows.replay_id',
})

/** `types` holds names with spaces around each. `endReplayed` is next. */
function queueIn<Scope extends ReplayScope>(scope: Scope) {
  return operation({
    name: `deliveries.queue_replay_${scope}`,
    input: {
      webhook_id: 'text',
      replay_id: 'text',
      ...range,
      types: 'text',
      now: 'int',
      count: 'int',
      enforce: 'int',
    },
    returns: { id: 'text', account_id: 'text' },
    alone: true,
    wakes: 'deliveries',
    ctes: `next as (select d.id from deliveries d, rows
             where d.webhook_id = rows.webhook_id and d.id >= rows.first_id and d.id < rows.last_id
               and ${statuses[scope]} and d.created_at >= rows.since and d.created_at < rows.until
               and (rows.types = ' * ' or replace(rows.types, ' ' || d.type || ' ', '') <> rows.types)
             order by d.id limit (select count from rows))`,
    sql: `insert into delivery_queue (${back.columns}) select ${back.values}
          from rows join webhooks w on w.id = rows.webhook_id
            join deliveries d on d.webhook_id = rows.webhook_id and d.id {in:next}
          where true on conflict (webhook_id, id) do nothing returning id, account_id`,
  })
}

export const queueReplay = { failed: queueIn('failed'), all: queueIn('all') }

const replayed = { webhook_id: 'text', replay_id: 'text' } as const
const isReplayed = `(d.webhook_id, d.id) in (select q.webhook_id, q.id from rows
  join delivery_queue q on q.replay_id = rows.replay_id and q.webhook_id = rows.webhook_id)`

export const logReplayed = operation({
  name: 'attempts.insert_replayed',
  input: replayed,
  sql: `insert into attempts (${keptAttemptColumns}) select ${keptAttempt} from deliveries d
        where d.url is not null and ${isReplayed} on conflict do nothing`,
})

export const dropReplayed = operation({
  name: 'deliveries.drop_replayed',
  input: replayed,
  sql: `delete from deliveries where (webhook_id, id) in (select d.webhook_id, d.id from deliveries d where ${isReplayed})`,
})

/** A replayed delivery moves from the finished ones to the queue. */
export function endReplayed(unit: Unit, row: RowOf<typeof replayed>): void {
  unit.add(logReplayed, row)
  unit.add(dropReplayed, row)
}

export const findReplay = query({
  name: 'webhook_states.replay',
  params: { webhook_id: 'text' },
  returns: { replay_id: 'text?', replay_matched: 'int', queued: 'int', under_way: 'int' },
  lane: 'list',
  sql: `select s.replay_id, s.replay_matched,
          (select count(*) from deliveries d where d.webhook_id = s.webhook_id and d.replay_id = s.replay_id)
            + (select count(*) from delivery_queue d where d.webhook_id = s.webhook_id and d.replay_id = s.replay_id) as queued,
          (select count(*) from (select 1 from delivery_queue d where d.webhook_id = s.webhook_id
             and d.replay_id = s.replay_id and d.cause = 'replay' limit 1) found) as under_way
        from webhook_states s where s.webhook_id = :webhook_id`,
})
