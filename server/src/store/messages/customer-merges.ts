import { operation } from '../engine/operation.ts'

/** One customer was found to be another: who came first keeps the id, and everything is theirs. */
const mergeInput = { id: 'text', into_id: 'text', account_id: 'text', now: 'int' } as const

export const mergeAddresses = operation({
  name: 'customer_addresses.merge',
  input: mergeInput,
  key: ['id'],
  sql: `update customer_addresses set customer_id = rows.into_id from rows where customer_addresses.customer_id = rows.id`,
})

/** The rows of the one who is another, as rows of the other. */
const takeOver = (table: 'contacts' | 'conversations', columns: readonly string[]) =>
  `insert into ${table} (customer_id, ${columns.join(', ')})
        select rows.into_id, ${columns.map((name) => `c.${name}`).join(', ')}
        from rows join ${table} c on c.customer_id = rows.id where true`

const dropMerged = (table: 'contacts' | 'conversations') =>
  operation({
    name: `${table}.drop_merged`,
    input: mergeInput,
    key: ['id'],
    sql: `delete from ${table} where customer_id in (select id from rows)`,
  })

const newestInbound = (table: 'contacts' | 'conversations', column: string) =>
  `${column} = case when coalesce(excluded.last_inbound_at, 0) > coalesce(${table}.last_inbound_at, 0)
            then excluded.${column} else ${table}.${column} end`

const contactColumns = [
  ...['number_id', 'account_id', 'last_inbound_at', 'opted_out_at'],
  ...['preference_at', 'preference_source', 'preference_by', 'blocked_at'],
]
const newer = 'coalesce(excluded.preference_at, 0) > coalesce(contacts.preference_at, 0)'
const latestOf = (column: string) =>
  `${column} = case when ${newer} then excluded.${column} else contacts.${column} end`

/** The newest word about marketing counts; of two at the same moment the one that stops it. */
export const mergeContacts = operation({
  name: 'contacts.merge',
  input: mergeInput,
  key: ['id'],
  wakes: 'messages',
  sql: `${takeOver('contacts', contactColumns)}
        on conflict (number_id, customer_id) do update set
          ${newestInbound('contacts', 'last_inbound_at')},
          opted_out_at = case when ${newer} then excluded.opted_out_at
            when excluded.preference_at = contacts.preference_at then coalesce(contacts.opted_out_at, excluded.opted_out_at)
            else contacts.opted_out_at end,
          ${['preference_at', 'preference_source', 'preference_by'].map(latestOf).join(', ')},
          blocked_at = coalesce(excluded.blocked_at, contacts.blocked_at)`,
})

export const dropMergedContacts = dropMerged('contacts')

const conversationColumns = [
  ...['account_id', 'number_id', 'state', 'assignee_id', 'assigned_at', 'unread'],
  ...['waiting_since', 'last_inbound_at', 'active_at', 'closed_at'],
]

/** Everything that is open, unread or waiting stays so; who had the kept one keeps it. */
export const mergeConversations = operation({
  name: 'conversations.merge',
  input: mergeInput,
  key: ['id'],
  wakes: 'messages',
  sql: `${takeOver('conversations', conversationColumns)}
        on conflict (customer_id) do update set
          ${newestInbound('conversations', 'number_id')},
          state = case when excluded.state = 'open' then 'open' else conversations.state end,
          closed_at = case when excluded.state = 'open' then null else conversations.closed_at end,
          assigned_at = case when conversations.assignee_id is null then excluded.assigned_at
            else conversations.assigned_at end,
          assignee_id = coalesce(conversations.assignee_id, excluded.assignee_id),
          unread = conversations.unread + excluded.unread,
          waiting_since = case when conversations.waiting_since is null then excluded.waiting_since
            when excluded.waiting_since is null then conversations.waiting_since
            else {min}(conversations.waiting_since, excluded.waiting_since) end,
          ${newestInbound('conversations', 'last_inbound_at')},
          active_at = {max}(conversations.active_at, excluded.active_at)`,
})

export const dropMergedConversations = dropMerged('conversations')

export const mergeCustomer = operation({
  name: 'customers.merge',
  input: mergeInput,
  key: ['id'],
  sql: `update customers set merged_into = rows.into_id, merged_at = rows.now, name = null, named_at = null
        from rows where customers.id = rows.id or customers.merged_into = rows.id`,
})

/** The merged customer's name, if the other has none, and the latest activity of both. */
export const inheritFrom = operation({
  name: 'customers.inherit',
  input: mergeInput,
  key: ['id'],
  sql: `update customers set name = coalesce(customers.name, theirs.name),
          named_at = coalesce(customers.named_at, theirs.named_at),
          active_at = {max}(customers.active_at, theirs.active_at)
        from rows join customers theirs on theirs.id = rows.id where customers.id = rows.into_id`,
})
