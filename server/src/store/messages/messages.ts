import { failurePrivacy, type Privacy, type PrivacyOf } from '../../contract/privacy.ts'
import { blankRow, type ColumnType, operation, query, type RowOf } from '../engine/operation.ts'

/** Each column, with what it says about the customer. */
const declared = {
  id: ['text', 'kept'],
  account_id: ['text', 'kept'],
  number_id: ['text', 'kept'],
  direction: ['text', 'kept'],
  type: ['text', 'kept'],
  status: ['text', 'kept'],
  channel_message_id: ['text?', 'sent_message'],
  customer_id: ['text?', 'customer'],
  phone: ['text?', 'address'],
  user_id: ['text?', 'address'],
  customer_name: ['text?', 'personal'],
  template: ['text?', 'kept'],
  language: ['text?', 'kept'],
  category: ['text?', 'kept'],
  country: ['text?', 'kept'],
  api_key_id: ['text?', 'kept'],
  sent_by: ['text?', 'kept'],
  client_reference: ['text?', 'reference'],
  reply_to: ['text?', 'other_message'],
  opaque: ['text?', 'reference'],
  alias: ['int', 'kept'],
  group_id: ['text?', 'kept'],
  used: ['text?', 'kept'],
  origin: ['text?', 'kept'],
  held: ['int', 'kept'],
  outcome: ['text?', 'kept'],
  content: ['text?', 'personal'],
  content_purged_at: ['int?', 'kept'],
  error: ['text?', failurePrivacy],
  history: ['text', 'kept'],
  event_sequence: ['int', 'kept'],
  created_at: ['int', 'kept'],
  sent_at: ['int?', 'kept'],
  delivered_at: ['int?', 'kept'],
  read_at: ['int?', 'kept'],
  failed_at: ['int?', 'kept'],
  settle_by: ['int?', 'kept'],
  send_at: ['int?', 'kept'],
  expires_at: ['int?', 'kept'],
  next_attempt_at: ['int?', 'kept'],
  attempts: ['int', 'kept'],
  waiting_for: ['text?', 'kept'],
  broadcast_id: ['text?', 'kept'],
  group_no: ['int?', 'kept'],
  place: ['int?', 'kept'],
  message_events: ['text?', 'kept'],
  reserved: ['text?', 'kept'],
  revision: ['int', 'kept'],
} as const satisfies Record<string, readonly [ColumnType, Privacy | PrivacyOf]>
type Declared = typeof declared

const halfOf = <At extends 0 | 1>(at: At) =>
  Object.fromEntries(Object.entries(declared).map(([name, halves]) => [name, halves[at]])) as {
    [Name in keyof Declared]: Declared[Name][At]
  }
export const messageColumns = halfOf(0)
export const messagePrivacy = halfOf(1)

export type MessageRow = RowOf<typeof messageColumns>
export const messageColumnList = Object.keys(messageColumns).join(', ')

/** Set of what waits alone, and of what a broadcast sends, by operations of their own: no other insert has to name them. */
const {
  send_at: _sendAt,
  expires_at: _expiresAt,
  next_attempt_at: _nextAttemptAt,
  attempts: _attempts,
  waiting_for: _waitingFor,
  broadcast_id: _broadcastId,
  group_no: _groupNo,
  place: _place,
  message_events: _messageEvents,
  ...firstColumns
} = messageColumns

export { firstColumns }
export const firstColumnList = Object.keys(firstColumns).join(', ')

export const insertedColumns = { ...firstColumns, customer_address: 'text?' } as const
const customerOfRow = `coalesce(rows.customer_id, (select a.customer_id from customer_addresses a
          where a.account_id = rows.account_id and a.address = rows.customer_address))`
/** A row as it is stored: with the customer who has its address, where it does not say whose it is. */
export const inserted = Object.keys(firstColumns)
  .map((name) => (name === 'customer_id' ? customerOfRow : `rows.${name}`))
  .join(', ')

/** Messages to all addresses of a customer share one rate limit, which is named by the first of them. */
const whose = `returning id, customer_id, (select f.address from customer_addresses f
          where f.customer_id = messages.customer_id order by f.linked_at, f.address limit 1) as first_address`

/** A message to an address, with the customer who has that address. */
export const insertMessage = operation({
  name: 'messages.insert',
  input: insertedColumns,
  key: ['id'],
  returns: { id: 'text', customer_id: 'text?', first_address: 'text?' },
  wakes: 'messages',
  sql: `insert into messages (${firstColumnList}) select ${inserted} from rows ${whose}`,
})

/** The customer of a message, by the address that it went to. */
export const findCustomerOfMessage = operation({
  name: 'messages.find_customer',
  input: { id: 'text', account_id: 'text', address: 'text' },
  key: ['id'],
  returns: { id: 'text', customer_id: 'text?' },
  sql: `update messages set customer_id = a.customer_id
        from rows join customer_addresses a on a.account_id = rows.account_id and a.address = rows.address
        where messages.id = rows.id returning messages.id, messages.customer_id`,
})

/** Messages whose customer is another one, as found out meanwhile. */
export const giveToCustomer = operation({
  name: 'messages.give_to_customer',
  input: { id: 'text', account_id: 'text', customer_id: 'text' },
  key: ['id'],
  wakes: 'messages',
  sql: 'update messages set customer_id = rows.customer_id from rows where messages.id = rows.id and messages.phone is not null',
})

/** Messages of a customer who was found to be another one go to that one. */
export const followMerged = operation({
  name: 'messages.follow_merged',
  input: { id: 'text', account_id: 'text', into_id: 'text', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  wakes: 'messages',
  ctes: `theirs as (select m.id from messages m where m.account_id = (select account_id from rows)
           and m.customer_id = (select id from rows) limit (select count from rows))`,
  sql: `update messages set customer_id = (select into_id from rows) where id {in:theirs} returning id`,
})

const movedColumns = {
  id: 'text',
  revision: 'int',
  status: 'text',
  outcome: 'text?',
  error: 'text?',
  history: 'text',
  event_sequence: 'int',
  sent_at: 'int?',
  delivered_at: 'int?',
  read_at: 'int?',
  failed_at: 'int?',
  settle_by: 'int?',
} as const
const move = `status = rows.status, outcome = rows.outcome, error = rows.error, history = rows.history,
          event_sequence = rows.event_sequence, sent_at = rows.sent_at, delivered_at = rows.delivered_at,
          read_at = rows.read_at, failed_at = rows.failed_at, settle_by = rows.settle_by,
          revision = messages.revision + 1`
const asItWasRead = `messages.id = rows.id and messages.revision = rows.revision`

/** Moves a message on, if it is still as it was read; everything that can change is given. */
export const updateMessage = operation({
  name: 'messages.update',
  input: { ...movedColumns, channel_message_id: 'text?', user_id: 'text?', held: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set ${move}, channel_message_id = rows.channel_message_id, user_id = rows.user_id, held = rows.held
        from rows where ${asItWasRead} returning messages.id, messages.account_id`,
})

/** The same for a message whose id at the channel is known: SQLite writes an index anew for each column that is set. */
export const advanceMessage = operation({
  name: 'messages.advance',
  input: movedColumns,
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set ${move} from rows where ${asItWasRead} returning messages.id, messages.account_id`,
})

/** A message that the platform refused, and that says something else when it is called again. */
export const replaceContent = operation({
  name: 'messages.replace_content',
  input: {
    id: 'text',
    revision: 'int',
    type: 'text',
    template: 'text?',
    language: 'text?',
    category: 'text?',
    used: 'text?',
    content: 'text?',
  },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update messages set type = rows.type, template = rows.template, language = rows.language, category = rows.category,
          used = rows.used, content = rows.content, revision = messages.revision + 1
        from rows where ${asItWasRead} returning messages.id, messages.account_id`,
})

/** A message that was never handed to the platform, and that nobody was given the id of: as if it had not been stored. */
export const withdrawMessage = operation({
  name: 'messages.withdraw',
  input: { id: 'text', revision: 'int' },
  key: ['id'],
  returns: { id: 'text', account_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `delete from messages where (id, revision) in (select id, revision from rows) and status = 'queued'
        returning id, account_id`,
})

/** Its client was told an id of ours, and knows the message by that alone. Not if the platform's own id came first. */
export const aliasMessage = operation({
  name: 'messages.alias',
  input: { id: 'text' },
  key: ['id'],
  returns: { id: 'text' },
  sql: `update messages set alias = 1 from rows
        where messages.id = rows.id and messages.channel_message_id is null returning messages.id`,
})

/** By the channel's id or by our provisional one, which stays an alias for good. */
export const findMessage = query({
  name: 'messages.find',
  params: { account_id: 'text', id: 'text' },
  returns: messageColumns,
  sql: `select ${messageColumnList} from messages where id = :id and account_id = :account_id
        union all
        select ${messageColumnList} from messages where account_id = :account_id and channel_message_id = :id
        limit 1`,
})

export const findMessagesById = query({
  name: 'messages.by_ids',
  params: { ids: 'text[]' },
  returns: messageColumns,
  sql: `select ${messageColumnList} from messages where id in {list:ids}`,
})

/**
 * Each id is looked up by itself. For a list of them PostgreSQL may prefer another index, of which it takes only the account:
 * of one that has grown since the last statistics, it would read all messages for each batch of statuses.
 */
export const findMessagesByChannelId = query({
  name: 'messages.by_channel_ids',
  params: { account_id: 'text', ids: 'text[]' },
  returns: messageColumns,
  sql: `with wanted as (
          select (select m.id from messages m
            where m.account_id = :account_id and m.channel_message_id = each.value) as id from {list:ids} each)
        select ${messageColumnList} from messages where id {in:wanted}`,
})

/** By the channel's id or by ours, each looked up by itself as above. */
export const findOwnIds = query({
  name: 'messages.own_ids',
  params: { account_id: 'text', ids: 'text[]' },
  returns: { id: 'text', channel_message_id: 'text?' },
  sql: `with wanted as (
          select coalesce((select m.id from messages m where m.id = each.value and m.account_id = :account_id),
            (select m.id from messages m
              where m.account_id = :account_id and m.channel_message_id = each.value)) as id from {list:ids} each)
        select id, channel_message_id from messages where id {in:wanted}`,
})

/** Whether a customer has written after a moment, to any number. */
export const findInboundSince = query({
  name: 'messages.inbound_since',
  params: { account_id: 'text', customer_id: 'text', since: 'int' },
  returns: { id: 'text' },
  sql: `select id from messages where account_id = :account_id and customer_id = :customer_id and created_at > :since
          and direction = 'inbound' order by created_at, id limit 1`,
})

/** Sends whose process died between its two commits: nobody else ever calls the platform for them. */
export const findUnsettled = query({
  name: 'messages.unsettled',
  params: { now: 'int', count: 'int' },
  returns: messageColumns,
  lane: 'list',
  sql: `select ${messageColumnList} from messages where status = 'queued' and settle_by < :now
        order by settle_by limit :count`,
})

export const countUnresolved = query({
  name: 'messages.count_unresolved',
  params: { since: 'int' },
  returns: { young: 'int', total: 'int' },
  lane: 'list',
  sql: `select coalesce(sum(case when created_at >= :since then 1 else 0 end), 0) as young, count(*) as total
        from messages where status = 'queued' and outcome = 'unknown'`,
})

/** Unknown outcomes that nothing has settled for so long that nothing will. */
export const findUnknownBefore = query({
  name: 'messages.unknown_before',
  params: { before: 'int', count: 'int' },
  returns: messageColumns,
  lane: 'list',
  sql: `select ${messageColumnList} from messages
        where status = 'queued' and outcome = 'unknown' and created_at < :before limit :count`,
})

/**
 * Content goes by age; the record of what happened stays. The oldest of a range of ids: an index that named the content would
 * make each of these changes a new row with an entry in every index.
 */
export const purgeContent = operation({
  name: 'messages.purge_content',
  input: { first_id: 'text', last_id: 'text', now: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `old as (select id from messages
           where id >= (select first_id from rows) and id < (select last_id from rows) and content is not null
           order by id limit (select count from rows))`,
  sql: `update messages set content = null, customer_name = null, content_purged_at = (select now from rows)
        where id {in:old} returning id`,
})

/**
 * Looks at the oldest of each direction only: an id begins with the time of its message, so the primary key is the order
 * of age and a run without work costs two short reads. What is still queued stays until its outcome has ended.
 */
export const expireMessages = operation({
  name: 'messages.expire',
  input: { before: 'int', count: 'int' },
  returns: { id: 'text' },
  alone: true,
  ctes: `received as (select id, created_at from messages where id >= 'in_' and id < 'in\`'
           order by id limit (select count from rows)),
         sent as (select id, created_at, status from messages where id >= 'out_' and id < 'out\`'
           order by id limit (select count from rows)),
         old as (select id from received where created_at < (select before from rows)
           union all select id from sent
           where created_at < (select before from rows) and status not in ('queued', 'waiting'))`,
  sql: 'delete from messages where id {in:old} returning id',
})

/** `customer_address`: by which its customer is found. */
export type NewMessage = MessageRow & RowOf<typeof insertedColumns>

type Certain = 'id' | 'account_id' | 'number_id' | 'direction' | 'type' | 'status' | 'history' | 'created_at'

/**
 * What a row of messages is before anything is known of it; a new column concerns only those who fill it. To be spread with
 * what is known behind it, in one literal: that copies its shape, where a second object would be copied name by name.
 */
export const blankMessage = {
  ...blankRow(Object.keys(messageColumns)),
  held: 0,
  alias: 0,
  attempts: 0,
  event_sequence: 0,
  revision: 1,
  customer_address: null,
} as Readonly<Omit<NewMessage, Certain>>

/** The same for what is known by then. */
export function newMessage(given: Pick<MessageRow, Certain> & Partial<NewMessage>): NewMessage {
  return { ...blankMessage, ...given }
}
