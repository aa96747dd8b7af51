import { operation, query, type RowOf } from '../engine/operation.ts'
import { messageColumnList, messageColumns } from './messages.ts'

/**
 * Sends that wait. The row is the right to send: the writer that deletes it, in the unit that starts, cancels or fails the message,
 * decides what becomes of it, and everybody else's unit fails.
 */
export const waitingColumns = {
  message_id: 'text',
  account_id: 'text',
  number_id: 'text',
  key_id: 'text?',
  client_reference: 'text?',
  rank: 'int',
  due_at: 'int',
  expires_at: 'int',
  attempts: 'int',
  held: 'int',
  request: 'text',
} as const
export type WaitingRow = RowOf<typeof waitingColumns>
const columns = Object.keys(waitingColumns)
const list = columns.join(', ')

export const insertWaiting = operation({
  name: 'waiting.insert',
  input: waitingColumns,
  key: ['message_id'],
  wakes: 'waiting',
  sql: `insert into waiting_sends (${list}) select ${list} from rows`,
})

export const takeWaiting = operation({
  name: 'waiting.take',
  input: { message_id: 'text' },
  key: ['message_id'],
  returns: { message_id: 'text' },
  required: true,
  sql: 'delete from waiting_sends where message_id in (select message_id from rows) returning message_id',
})

/** To be looked at again later. Reverts the unit where another was faster. */
export const postponeWaiting = operation({
  name: 'waiting.postpone',
  input: { message_id: 'text', due_at: 'int', held: 'int', attempts: 'int' },
  key: ['message_id'],
  returns: { message_id: 'text' },
  required: true,
  sql: `update waiting_sends set due_at = rows.due_at, held = rows.held, attempts = rows.attempts from rows
        where waiting_sends.message_id = rows.message_id returning waiting_sends.message_id`,
})

/** A person says that it may go, also without the key that asked for it. */
export const releaseWaiting = operation({
  name: 'waiting.release',
  input: { message_id: 'text', due_at: 'int' },
  key: ['message_id'],
  returns: { message_id: 'text' },
  required: true,
  wakes: 'waiting',
  sql: `update waiting_sends set held = 0, key_id = null, due_at = rows.due_at from rows
        where waiting_sends.message_id = rows.message_id and waiting_sends.held = 1 returning waiting_sends.message_id`,
})

const waitColumns = {
  id: 'text',
  send_at: 'int?',
  expires_at: 'int?',
  next_attempt_at: 'int?',
  attempts: 'int',
  waiting_for: 'text?',
} as const
const waits = `send_at = rows.send_at, expires_at = rows.expires_at, next_attempt_at = rows.next_attempt_at,
          attempts = rows.attempts, waiting_for = rows.waiting_for`

/** Until when a message waits and for what; a new one, or one that still waits. */
export const markWaiting = operation({
  name: 'messages.mark_waiting',
  input: waitColumns,
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set ${waits} from rows
        where messages.id = rows.id and messages.status = 'waiting' returning messages.id, messages.account_id`,
})

/** A message that was under way and certainly was not sent waits again. */
export const waitAgain = operation({
  name: 'messages.wait_again',
  input: { ...waitColumns, revision: 'int', history: 'text' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set status = 'waiting', settle_by = null, history = rows.history, ${waits},
          revision = messages.revision + 1
        from rows where messages.id = rows.id and messages.revision = rows.revision and messages.status = 'queued'
        returning messages.id, messages.account_id`,
})

/** It leaves now, as what it was found to be by its last check. */
export const startWaiting = operation({
  name: 'messages.start_waiting',
  input: {
    id: 'text',
    revision: 'int',
    type: 'text',
    template: 'text?',
    language: 'text?',
    category: 'text?',
    reply_to: 'text?',
    used: 'text?',
    content: 'text?',
    attempts: 'int',
    history: 'text',
    settle_by: 'int?',
  },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set status = 'queued', type = rows.type, template = rows.template, language = rows.language,
          category = rows.category, reply_to = rows.reply_to, used = rows.used, content = rows.content,
          attempts = rows.attempts, history = rows.history, settle_by = rows.settle_by, next_attempt_at = null,
          waiting_for = null, revision = messages.revision + 1
        from rows where messages.id = rows.id and messages.revision = rows.revision and messages.status = 'waiting'
        returning messages.id, messages.account_id`,
})

/** It never leaves: canceled, or failed before it was called for. */
export const endWaiting = operation({
  name: 'messages.end_waiting',
  input: {
    id: 'text',
    revision: 'int',
    status: 'text',
    error: 'text?',
    failed_at: 'int?',
    history: 'text',
    event_sequence: 'int',
  },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set status = rows.status, error = rows.error, failed_at = rows.failed_at, history = rows.history,
          event_sequence = rows.event_sequence, next_attempt_at = null, waiting_for = null,
          revision = messages.revision + 1
        from rows where messages.id = rows.id and messages.revision = rows.revision and messages.status = 'waiting'
        returning messages.id, messages.account_id`,
})

/** Messages of a number that are due and wait for something that concerns all of them say so. */
export const explainWaiting = operation({
  name: 'messages.explain_waiting',
  input: { number_id: 'text', waiting_for: 'text', now: 'int', count: 'int' },
  returns: { account_id: 'text' },
  alone: true,
  wakes: 'messages',
  ctes: `due as (select w.message_id from waiting_sends w where w.number_id = (select number_id from rows)
           and w.held = 0 and w.due_at <= (select now from rows) order by w.due_at limit (select count from rows))`,
  sql: `update messages set waiting_for = (select waiting_for from rows)
        where id {in:due} and status = 'waiting' and waiting_for <> (select waiting_for from rows) returning account_id`,
})

/** A page of what is held until a person says that it may go: of one account, or of all. */
export const findHeld = query({
  name: 'waiting.held',
  params: { account_id: 'text', after: 'text', count: 'int' },
  returns: waitingColumns,
  lane: 'list',
  sql: `select ${list} from waiting_sends
        where held = 1 and (:account_id = '' or account_id = :account_id) and message_id > :after
        order by message_id limit :count`,
})

/** An account's messages that wait for a person, and those overdue at a time. */
export const countLate = query({
  name: 'waiting.late',
  params: { account_id: 'text', before: 'int' },
  returns: { held: 'int', late: 'int', first_due: 'int?' },
  lane: 'list',
  sql: `select coalesce(sum(held), 0) as held,
          coalesce(sum(case when held = 0 and due_at < :before then 1 else 0 end), 0) as late,
          min(case when held = 0 and due_at < :before then due_at end) as first_due
        from waiting_sends where account_id = :account_id`,
})

/** A page of what is not held. */
export const findUnheld = query({
  name: 'waiting.unheld',
  params: { after: 'text', count: 'int' },
  returns: waitingColumns,
  lane: 'list',
  sql: `select ${list} from waiting_sends where held = 0 and message_id > :after order by message_id limit :count`,
})

/** Numbers for which something waits, each found by a step in the index, with when the first of each rank is due. */
export const findLanes = query({
  name: 'waiting.lanes',
  params: {},
  returns: { number_id: 'text', codes_at: 'int?', others_at: 'int?' },
  sql: `with recursive lanes(number_id) as (
          select min(number_id) from waiting_sends where held = 0
          union all
          select (select min(w.number_id) from waiting_sends w where w.held = 0 and w.number_id > lanes.number_id)
          from lanes where lanes.number_id is not null)
        select number_id,
          (select min(w.due_at) from waiting_sends w where w.number_id = lanes.number_id and w.held = 0 and w.rank = 0)
            as codes_at,
          (select min(w.due_at) from waiting_sends w where w.number_id = lanes.number_id and w.held = 0 and w.rank = 1)
            as others_at
        from lanes where number_id is not null`,
})

const dueOf = (rank: 0 | 1) => `select * from (select ${list} from waiting_sends
          where number_id = :number_id and held = 0 and rank = ${rank} and due_at <= :now
          order by due_at, message_id limit :count) due_${rank}`

/** Due messages of a number: one-time codes first, then by time. */
export const findDue = query({
  name: 'waiting.due',
  params: { number_id: 'text', now: 'int', count: 'int' },
  returns: waitingColumns,
  sql: `select * from (${dueOf(0)} union all ${dueOf(1)}) due order by rank, due_at, message_id limit :count`,
})

export const findExpiredWaiting = query({
  name: 'waiting.expired',
  params: { now: 'int', count: 'int' },
  returns: waitingColumns,
  sql: `select ${list} from waiting_sends where expires_at < :now order by expires_at limit :count`,
})

export const findWaitingByReference = query({
  name: 'waiting.by_reference',
  params: { account_id: 'text', client_reference: 'text', count: 'int' },
  returns: waitingColumns,
  sql: `select ${list} from waiting_sends where account_id = :account_id and client_reference = :client_reference
        order by message_id limit :count`,
})

/** Waiting messages to a customer. */
export const findWaitingOfCustomers = query({
  name: 'waiting.of_customers',
  params: { account_id: 'text', customer_ids: 'text[]', count: 'int' },
  returns: messageColumns,
  lane: 'list',
  sql: `select ${messageColumnList} from messages
        where account_id = :account_id and customer_id in {list:customer_ids} and next_attempt_at is not null limit :count`,
})

export const countWaiting = query({
  name: 'waiting.count',
  params: { account_id: 'text' },
  returns: { count: 'int' },
  lane: 'list',
  sql: 'select count(*) as count from waiting_sends where account_id = :account_id',
})

/** For the operator's gauges. */
export const measureWaitingSends = query({
  name: 'waiting.measure',
  params: { now: 'int' },
  returns: { rank: 'int', held: 'int', count: 'int', first_due: 'int?' },
  lane: 'list',
  sql: `select rank, held, count(*) as count, min(case when due_at <= :now then due_at end) as first_due
        from waiting_sends group by rank, held`,
})

/** Conditions for all waiting messages of a number. */
export const findLaneFacts = query({
  name: 'waiting.lane_facts',
  params: { number_id: 'text' },
  returns: { sends_per_second: 'int', is_connected: 'int', channel_status: 'text', account_status: 'text' },
  sql: `select n.sends_per_second, case when n.disconnected_at is null then 1 else 0 end as is_connected,
          c.status as channel_status, a.status as account_status
        from numbers n join channels c on c.id = n.channel_id join accounts a on a.id = n.account_id
        where n.id = :number_id`,
})

/** One process sends what waits for a number, so that nodes do not compete. Nothing relies on it. */
export const claimLane = operation({
  name: 'send_lanes.claim',
  input: { number_id: 'text', claim: 'text', lease_until: 'int', now: 'int' },
  key: ['number_id'],
  returns: { number_id: 'text', claim: 'text' },
  sql: `insert into send_lanes (number_id, claim, lease_until) select number_id, claim, lease_until from rows where true
        on conflict (number_id) do update set claim = excluded.claim, lease_until = excluded.lease_until
        where send_lanes.claim = excluded.claim
          or send_lanes.lease_until < (select rows.now from rows where rows.number_id = excluded.number_id)
        returning number_id, claim`,
})

export const leaveLane = operation({
  name: 'send_lanes.leave',
  input: { number_id: 'text', claim: 'text' },
  key: ['number_id'],
  sql: 'delete from send_lanes where (number_id, claim) in (select number_id, claim from rows)',
})

/** Changes when a standby takes over. */
export const databaseTimeline = query({
  name: 'waiting.timeline',
  params: {},
  returns: { timeline: 'text' },
  sql: 'select {timeline} as timeline',
})
