import { operation, query } from './operation.ts'

/** Deliveries a replay may send again: everything that ended, but for what the caller did not ask for. */
const matching = `d.webhook_id = :webhook_id and d.created_at >= :since and d.created_at < :until
  and d.status in {list:statuses} and d.type in {list:types}`

export const countReplayable = query({
  name: 'deliveries.count_replayable',
  params: { webhook_id: 'text', since: 'int', until: 'int', statuses: 'text[]', types: 'text[]' },
  returns: { matched: 'int' },
  lane: 'list',
  sql: `select count(*) as matched from deliveries d where ${matching}`,
})

/** One replay at a time: it begins only if the last one is still the one that was seen to be over. */
export const beginReplay = operation({
  name: 'webhook_states.begin_replay',
  input: { webhook_id: 'text', replay_id: 'text', expected: 'text', matched: 'int' },
  key: ['webhook_id'],
  returns: { webhook_id: 'text' },
  required: true,
  sql: `update webhook_states set replay_id = rows.replay_id, replay_matched = rows.matched
        from rows where webhook_states.webhook_id = rows.webhook_id
          and coalesce(webhook_states.replay_id, '') = rows.expected
          and exists (select 1 from webhooks w where w.id = rows.webhook_id and w.active = 1)
        returning webhook_states.webhook_id`,
})

/** `statuses` and `types` hold names with spaces around each. */
export const queueReplay = operation({
  name: 'deliveries.queue_replay',
  input: {
    webhook_id: 'text',
    replay_id: 'text',
    since: 'int',
    until: 'int',
    statuses: 'text',
    types: 'text',
    now: 'int',
    count: 'int',
    enforce: 'int',
  },
  returns: { id: 'text' },
  alone: true,
  wakes: 'deliveries',
  sql: `update deliveries set status = (select case when w.verification = 'verified' or rows.enforce = 0 then 'pending'
            when w.verification = 'pending' then 'held' else 'skipped' end
            from webhooks w, rows where w.id = deliveries.webhook_id),
          due_at = (select now from rows), step = 0, cause = 'replay', replay_id = (select replay_id from rows)
        where id in (
          select d.id from deliveries d, rows
          where d.webhook_id = rows.webhook_id and d.created_at >= rows.since and d.created_at < rows.until
            and replace(rows.statuses, ' ' || d.status || ' ', '') <> rows.statuses
            and (rows.types = ' * ' or replace(rows.types, ' ' || d.type || ' ', '') <> rows.types)
          order by d.id limit (select count from rows))
        returning id`,
})

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
