import { kysely } from '../engine/cursor.ts'
import type { Condition, Listing } from '../engine/list.ts'
import { operation, query, type RowOf } from '../engine/operation.ts'

export const broadcastColumns = {
  id: 'text',
  account_id: 'text',
  number_id: 'text',
  name: 'text',
  status: 'text',
  reason: 'text?',
  reason_since: 'int?',
  hold_until: 'int?',
  template: 'text',
  language: 'text',
  components: 'text',
  quiet_hours: 'text?',
  valid_for: 'int',
  max_per_second: 'int?',
  message_events: 'text?',
  template_mark: 'text?',
  accepted: 'int',
  taken: 'int',
  next_group: 'int',
  uploading_until: 'int?',
  start_at: 'int?',
  started_at: 'int?',
  expires_at: 'int?',
  ended_at: 'int?',
  key_id: 'text?',
  created_at: 'int',
  updated_at: 'int',
  sequence: 'int',
  revision: 'int',
} as const
export type BroadcastRow = RowOf<typeof broadcastColumns>
const columns = Object.keys(broadcastColumns)
const list = columns.join(', ')

export const insertBroadcast = operation({
  name: 'broadcasts.insert',
  input: broadcastColumns,
  key: ['id'],
  sql: `insert into broadcasts (${list}) select ${list} from rows`,
})

// Moved by operations of their own, while others change the rest.
const {
  id,
  account_id,
  accepted: _accepted,
  taken: _taken,
  next_group: _nextGroup,
  uploading_until: _uploadingUntil,
  created_at: _createdAt,
  ...changed
} = broadcastColumns
const set = Object.keys(changed)
  .filter((name) => name !== 'revision')
  .map((name) => `${name} = rows.${name}`)

/** Changes a broadcast if it is still as it was read. */
export const saveBroadcast = operation({
  name: 'broadcasts.save',
  input: { id, account_id, ...changed },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'waiting',
  sql: `update broadcasts set ${set.join(', ')}, revision = broadcasts.revision + 1
        from rows where broadcasts.id = rows.id and broadcasts.revision = rows.revision
        returning broadcasts.id, broadcasts.account_id`,
})

/** There may be more room now than there was when an account's broadcasts were held. */
export const lookAgain = operation({
  name: 'broadcasts.look_again',
  input: { account_id: 'text', reason: 'text', now: 'int' },
  key: ['account_id', 'reason'],
  wakes: 'waiting',
  sql: `update broadcasts set hold_until = rows.now, revision = broadcasts.revision + 1 from rows
        where broadcasts.account_id = rows.account_id and broadcasts.reason = rows.reason
          and broadcasts.status = 'running'`,
})

/** Nothing is sent for a broadcast that was stopped: its stop waits for the units before it, and all later ones fail. */
export const takeOfBroadcast = operation({
  name: 'broadcasts.take',
  input: { id: 'text', count: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update broadcasts set taken = broadcasts.taken + rows.count
        from rows where broadcasts.id = rows.id and broadcasts.status = 'running' returning broadcasts.id`,
})

/** Recipients of an upload have become part of a broadcast that was not started meanwhile. */
export const acceptRecipients = operation({
  name: 'broadcasts.accept',
  input: { id: 'text', accepted: 'int', replaces: 'int', now: 'int' },
  key: ['id'],
  returns: { id: 'text' },
  required: true,
  sql: `update broadcasts set accepted = rows.accepted + case when rows.replaces = 1 then 0 else broadcasts.accepted end,
          uploading_until = null, updated_at = rows.now, revision = broadcasts.revision + 1
        from rows where broadcasts.id = rows.id and broadcasts.status = 'draft' returning broadcasts.id`,
})

/** Group numbers for an upload, of which there is one at a time. */
export const beginUpload = operation({
  name: 'broadcasts.begin_upload',
  input: { id: 'text', count: 'int', now: 'int', until: 'int' },
  key: ['id'],
  returns: { id: 'text', next_group: 'int' },
  required: true,
  sql: `update broadcasts set next_group = broadcasts.next_group + rows.count, uploading_until = rows.until
        from rows where broadcasts.id = rows.id and broadcasts.status = 'draft'
          and (broadcasts.uploading_until is null or broadcasts.uploading_until < rows.now)
        returning broadcasts.id, broadcasts.next_group`,
})

/** An upload goes on, or with null has ended. */
export const leaseUpload = operation({
  name: 'broadcasts.lease_upload',
  input: { id: 'text', until: 'int?' },
  key: ['id'],
  sql: `update broadcasts set uploading_until = rows.until from rows where broadcasts.id = rows.id`,
})

export const deleteBroadcast = operation({
  name: 'broadcasts.delete',
  input: { id: 'text', account_id: 'text', revision: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  sql: `delete from broadcasts where (id, account_id, revision) in (select id, account_id, revision from rows)
        returning id, account_id`,
})

export const findBroadcast = query({
  name: 'broadcasts.find',
  params: { account_id: 'text', id: 'text' },
  returns: broadcastColumns,
  sql: `select ${list} from broadcasts where id = :id and account_id = :account_id`,
})

type BroadcastFilters = { statuses: readonly string[] | null; numberIds: readonly string[] | null }

export function broadcastListing(accountId: string, { statuses, numberIds }: BroadcastFilters): Listing<BroadcastRow> {
  return {
    table: 'broadcasts',
    columns: columns.map((column) => `r.${column}`).join(', '),
    key: ['id'],
    fixed: { account_id: accountId },
    along: ['created_at', 'id'],
    order: 'desc',
    time: 'created_at',
    filters: [...isAmong('status', statuses), ...isAmong('number_id', numberIds)],
  }
}

function isAmong(column: string, values: readonly string[] | null): Condition[] {
  const { sql } = kysely()
  if (values === null) return []
  return values.length === 0 ? [sql`1 = 0`] : [sql`${sql.raw(`r.${column}`)} in (${sql.join([...values])})`]
}

/** What may take a turn at a number, in the order of their ids. */
export const findRunning = query({
  name: 'broadcasts.running',
  params: { number_id: 'text', now: 'int' },
  returns: broadcastColumns,
  sql: `select ${list} from broadcasts
        where number_id = :number_id and status = 'running' and (hold_until is null or hold_until <= :now) order by id`,
})

/** Numbers with something to send, and when the first of it goes on. */
export const findBroadcastLanes = query({
  name: 'broadcasts.lanes',
  params: {},
  returns: { number_id: 'text', due_at: 'int' },
  sql: `select number_id, min(coalesce(hold_until, 0)) as due_at from broadcasts
        where status = 'running' and number_id > '' group by number_id`,
})

export const findScheduled = query({
  name: 'broadcasts.scheduled',
  params: { now: 'int', count: 'int' },
  returns: broadcastColumns,
  sql: `select ${list} from broadcasts where status = 'scheduled' and start_at <= :now order by start_at limit :count`,
})

export const findExpiredBroadcasts = query({
  name: 'broadcasts.expired',
  params: { now: 'int', count: 'int' },
  returns: broadcastColumns,
  lane: 'list',
  sql: `select ${list} from broadcasts where status in ('running', 'paused') and expires_at < :now limit :count`,
})

/** What would go on by itself. */
export const findUnpaused = query({
  name: 'broadcasts.unpaused',
  params: {},
  returns: broadcastColumns,
  lane: 'list',
  sql: `select ${list} from broadcasts where status in ('running', 'scheduled')`,
})

/** Whether a message of it may still be sent, or is on its way. */
export const findOpenMessage = query({
  name: 'broadcasts.open_message',
  params: { broadcast_id: 'text', count: 'int' },
  returns: { id: 'text' },
  sql: `select id from messages
        where broadcast_id = :broadcast_id and (settle_by is not null or next_attempt_at is not null) limit :count`,
})

/** What ended so long ago that it goes, and drafts that nobody has touched for a time of their own. */
export const findOldBroadcasts = query({
  name: 'broadcasts.old',
  params: { before: 'int', draft_before: 'int', count: 'int' },
  returns: broadcastColumns,
  lane: 'list',
  sql: `select ${list} from broadcasts where updated_at < :draft_before
          and (status = 'draft' or (status in ('completed', 'canceled') and updated_at < :before)) limit :count`,
})

/** Those of an account that do not send for a reason of their own. */
export const findStopped = query({
  name: 'broadcasts.stopped',
  params: { account_id: 'text', count: 'int' },
  returns: { id: 'text', name: 'text', status: 'text', reason: 'text', reason_since: 'int?' },
  lane: 'list',
  sql: `select id, name, status, reason, reason_since from broadcasts
        where account_id = :account_id and status in ('running', 'paused') and reason <> 'by_person'
        order by created_at desc, id desc limit :count`,
})

export const measureBroadcasts = query({
  name: 'broadcasts.measure',
  params: {},
  returns: { status: 'text', reason: 'text', count: 'int', waiting: 'int' },
  lane: 'list',
  sql: `select status, coalesce(reason, '') as reason, count(*) as count, sum(accepted - taken) as waiting
        from broadcasts where status in ('running', 'paused') group by 1, 2`,
})
