import { operation, query } from '../engine/operation.ts'

/** Asks for the right to fetch a channel's list; nobody gets it twice within the pause. */
export const claimSync = operation({
  name: 'template_syncs.claim',
  input: { channel_id: 'text', account_id: 'text', now: 'int', pause_ms: 'int' },
  key: ['channel_id'],
  returns: { channel_id: 'text' },
  sql: `insert into template_syncs (channel_id, account_id, requested_at)
        select channel_id, account_id, now from rows where true
        on conflict (channel_id) do update set requested_at = excluded.requested_at
        where template_syncs.requested_at <= excluded.requested_at - (select max(pause_ms) from rows)
        returning channel_id`,
})

/** Nobody asks for the list before `requested_at`, the poll not before its pause after that. */
export const postponeSync = operation({
  name: 'template_syncs.postpone',
  input: { channel_id: 'text', account_id: 'text', requested_at: 'int' },
  key: ['channel_id'],
  sql: `insert into template_syncs (channel_id, account_id, requested_at)
        select channel_id, account_id, requested_at from rows where true
        on conflict (channel_id) do update set requested_at = excluded.requested_at
        where template_syncs.requested_at < excluded.requested_at`,
})

/** Finds a channel that was postponed: a sync sets the present time, and only a throttle a later one. */
export const findPostponedSync = query({
  name: 'template_syncs.find_postponed',
  params: { channel_id: 'text', now: 'int' },
  returns: { requested_at: 'int' },
  sql: 'select requested_at from template_syncs where channel_id = :channel_id and requested_at > :now',
})

export const finishSync = operation({
  name: 'template_syncs.finish',
  input: { channel_id: 'text', now: 'int' },
  key: ['channel_id'],
  sql: `update template_syncs set finished_at = rows.now from rows where template_syncs.channel_id = rows.channel_id`,
})

/** Channels whose templates were not looked at for long, sooner where one is under review; the longest first. */
export const channelsToSync = query({
  name: 'template_syncs.due',
  params: { before: 'int', pending_before: 'int', count: 'int' },
  returns: { account_id: 'text', channel_id: 'text' },
  lane: 'list',
  sql: `select c.account_id, c.id as channel_id from channels c left join template_syncs s on s.channel_id = c.id
        where c.status <> 'disconnected' and (s.requested_at is null or s.requested_at <= case
          when exists (select 1 from templates t
            where t.account_id = c.account_id and t.channel_id = c.id 
              and (t.status = 'pending' or t.pending_edit is not null))
          then :pending_before else :before end)
        order by coalesce(s.requested_at, 0), c.id limit :count`,
})
