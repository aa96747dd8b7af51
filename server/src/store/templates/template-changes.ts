import { operation, query, type RowOf } from '../engine/operation.ts'

const templateChangeColumns = {
  template_id: 'text',
  number: 'int',
  account_id: 'text',
  kind: 'text',
  cause: 'text',
  status: 'text',
  version: 'int',
  diff: 'text',
  content: 'text?',
  at: 'int',
} as const

export type TemplateChangeRow = RowOf<typeof templateChangeColumns>
const columns = Object.keys(templateChangeColumns).join(', ')

export const insertTemplateChange = operation({
  name: 'template_changes.insert',
  input: templateChangeColumns,
  key: ['template_id', 'number'],
  sql: `insert into template_changes (${columns}) select ${columns} from rows`,
})

export const deleteHistory = operation({
  name: 'template_changes.delete',
  input: { template_id: 'text' },
  key: ['template_id'],
  sql: 'delete from template_changes where template_id in (select template_id from rows)',
})

/** Newest first. */
export const readTemplateChanges = query({
  name: 'template_changes.read',
  params: { account_id: 'text', template_id: 'text', count: 'int' },
  returns: templateChangeColumns,
  sql: `select ${columns} from template_changes where template_id = :template_id and account_id = :account_id
        order by number desc limit :count`,
})

/** Of one template, newest first. */
export const readStatusChanges = query({
  name: 'template_changes.of_status',
  params: { account_id: 'text', template_id: 'text', since: 'int' },
  returns: { cause: 'text', diff: 'text', at: 'int' },
  sql: `select cause, diff, at from template_changes
        where template_id = :template_id and account_id = :account_id and kind = 'status' and at > :since
        order by number desc`,
})

/** Of the templates that had a name and language, newest first. */
export const readDeletions = query({
  name: 'template_changes.deletions',
  params: { account_id: 'text', channel_id: 'text', name: 'text', language: 'text', since: 'int' },
  returns: { diff: 'text', at: 'int' },
  sql: `select c.diff, c.at from templates t join template_changes c on c.template_id = t.id
        where t.account_id = :account_id and t.channel_id = :channel_id and t.name = :name and t.language = :language
          and t.status = 'deleted' and c.kind = 'status' and c.status = 'deleted' and c.at > :since
        order by c.at desc`,
})

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
