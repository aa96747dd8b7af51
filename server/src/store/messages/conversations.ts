import { operation } from '../engine/operation.ts'

/**
 * A customer wrote. A message that needs a reply is counted in `unread` and reopens the conversation; they wait since the
 * first of them. A late callback never moves a time back.
 */
export const noteArrived = operation({
  name: 'conversations.note_arrived',
  input: { customer_id: 'text', account_id: 'text', number_id: 'text', at: 'int', active_at: 'int', unread: 'int' },
  key: ['customer_id'],
  wakes: 'messages',
  sql: `insert into conversations (customer_id, account_id, number_id, state, unread, waiting_since, last_inbound_at, active_at)
        select customer_id, account_id, number_id, 'open', unread, case when unread > 0 then at end, at, active_at
        from rows where true
        on conflict (customer_id) do update set
          number_id = case when excluded.last_inbound_at >= coalesce(conversations.last_inbound_at, 0)
            then excluded.number_id else conversations.number_id end,
          state = case when excluded.unread > 0 then 'open' else conversations.state end,
          closed_at = case when excluded.unread > 0 then null else conversations.closed_at end,
          unread = conversations.unread + excluded.unread,
          waiting_since = coalesce(conversations.waiting_since, excluded.waiting_since),
          last_inbound_at = {max}(excluded.last_inbound_at, coalesce(conversations.last_inbound_at, 0)),
          active_at = {max}(excluded.active_at, conversations.active_at)`,
})

const replyInput = { customer_id: 'text', account_id: 'text', at: 'int' } as const
const customerNow = `coalesce((select m.merged_into from customers m where m.id = rows.customer_id), rows.customer_id)`

/** A program replied, or a person without this gateway. Where nobody waits, nothing is written. */
export const noteReply = operation({
  name: 'conversations.note_reply',
  input: replyInput,
  key: ['customer_id'],
  wakes: 'messages',
  sql: `update conversations set waiting_since = null, active_at = {max}(conversations.active_at, rows.at)
        from rows where conversations.customer_id = rows.customer_id and conversations.account_id = rows.account_id
          and conversations.waiting_since is not null`,
})

/** A person wrote: from then on it is a conversation, also with a customer who has never written. */
export const noteReplyByHand = operation({
  name: 'conversations.note_reply_by_hand',
  input: { ...replyInput, number_id: 'text' },
  key: ['customer_id'],
  wakes: 'messages',
  sql: `insert into conversations (customer_id, account_id, number_id, state, active_at)
        select c.id, rows.account_id, rows.number_id, 'open', rows.at
        from rows join customers c on c.id = ${customerNow} and c.account_id = rows.account_id where true
        on conflict (customer_id) do update set state = 'open', closed_at = null, waiting_since = null, unread = 0,
          number_id = coalesce(conversations.number_id, excluded.number_id),
          active_at = {max}(excluded.active_at, conversations.active_at)`,
})

/** The business replied without this gateway, in its app for example. */
export const noteReplyElsewhere = operation({
  name: 'conversations.note_reply_elsewhere',
  input: { account_id: 'text', address: 'text', at: 'int' },
  key: ['account_id', 'address'],
  wakes: 'messages',
  sql: `update conversations set waiting_since = null, unread = 0, active_at = {max}(conversations.active_at, rows.at)
        from rows join customer_addresses a on a.account_id = rows.account_id and a.address = rows.address
        where conversations.customer_id = a.customer_id and coalesce(conversations.last_inbound_at, 0) <= rows.at
          and (conversations.waiting_since is not null or conversations.unread > 0)`,
})

/** What a customer with this address wrote was replied to by a person, and so it was read. */
export const readConversationOf = operation({
  name: 'conversations.read_by_address',
  input: { account_id: 'text', address: 'text' },
  key: ['account_id', 'address'],
  wakes: 'messages',
  sql: `update conversations set unread = 0
        from rows join customer_addresses a on a.account_id = rows.account_id and a.address = rows.address
        where conversations.customer_id = a.customer_id and conversations.unread > 0`,
})

/** A member has read what a customer wrote. */
export const readConversation = operation({
  name: 'conversations.read',
  input: { account_id: 'text', customer_id: 'text' },
  key: ['account_id', 'customer_id'],
  wakes: 'messages',
  sql: `update conversations set unread = 0 from rows where conversations.customer_id = rows.customer_id
          and conversations.account_id = rows.account_id and conversations.unread > 0`,
})

/** Before a conversation that there may not be yet is assigned. */
export const ensureConversation = operation({
  name: 'conversations.ensure',
  input: { customer_id: 'text', account_id: 'text', now: 'int' },
  key: ['customer_id'],
  sql: `insert into conversations (customer_id, account_id, state, active_at)
        select c.id, c.account_id, 'open', rows.now from rows
          join customers c on c.id = rows.customer_id and c.account_id = rows.account_id and c.merged_into is null
        where true on conflict (customer_id) do nothing`,
})

/** Only of the one who was seen to have it, so that two people never both own it. */
export const assignConversation = operation({
  name: 'conversations.assign',
  input: { customer_id: 'text', account_id: 'text', assignee_id: 'text?', previous_id: 'text?', now: 'int' },
  key: ['customer_id'],
  returns: { customer_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update conversations set assignee_id = rows.assignee_id,
          assigned_at = case when rows.assignee_id is null then null else rows.now end
        from rows where conversations.customer_id = rows.customer_id and conversations.account_id = rows.account_id
          and conversations.assignee_id is not distinct from rows.previous_id
        returning conversations.customer_id`,
})

/** A person who leaves has no conversations. */
export const unassignAll = operation({
  name: 'conversations.unassign_all',
  input: { account_id: 'text', user_id: 'text' },
  key: ['user_id'],
  wakes: 'messages',
  sql: `update conversations set assignee_id = null, assigned_at = null from rows
        where conversations.assignee_id = rows.user_id and conversations.account_id = rows.account_id`,
})

const stateInput = { customer_id: 'text', account_id: 'text', now: 'int' } as const

/** Nothing is left to do for the customer, until they write again. */
export const closeConversation = operation({
  name: 'conversations.close',
  input: stateInput,
  key: ['customer_id'],
  returns: { customer_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update conversations set state = 'closed', closed_at = rows.now, unread = 0, waiting_since = null
        from rows where conversations.customer_id = rows.customer_id and conversations.account_id = rows.account_id
          and conversations.state = 'open'
        returning conversations.customer_id`,
})

export const reopenConversation = operation({
  name: 'conversations.reopen',
  input: stateInput,
  key: ['customer_id'],
  returns: { customer_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `update conversations set state = 'open', closed_at = null, active_at = {max}(conversations.active_at, rows.now)
        from rows where conversations.customer_id = rows.customer_id and conversations.account_id = rows.account_id
          and conversations.state = 'closed'
        returning conversations.customer_id`,
})
