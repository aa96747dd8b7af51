import { operation, query } from '../engine/operation.ts'
import { sendable } from './deliveries.ts'

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

/** `types` holds names with spaces around each. */
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
    sql: `update deliveries set status = (select case when w.verification = 'verified' or rows.enforce = 0
              then 'pending' else 'held' end from webhooks w, rows where w.id = deliveries.webhook_id),
            due_at = (select now from rows), step = 0, cause = 'replay', replay_id = (select replay_id from rows)
          where id {in:next} returning id, account_id`,
  })
}

export const queueReplay = { failed: queueIn('failed'), all: queueIn('all') }

export const findReplay = query({
  name: 'webhook_states.replay',
  params: { webhook_id: 'text' },
  returns: { replay_id: 'text?', replay_matched: 'int', queued: 'int', under_way: 'int' },
  lane: 'list',
  sql: `select s.replay_id, s.replay_matched,
          (select count(*) from deliveries d where d.webhook_id = s.webhook_id and d.replay_id = s.replay_id) as queued,
          (select count(*) from (select 1 from deliveries d where d.webhook_id = s.webhook_id
             and d.replay_id = s.replay_id and d.cause = 'replay' and d.status in ('pending', 'sending', 'held')
             limit 1) found) as under_way
        from webhook_states s where s.webhook_id = :webhook_id`,
})
