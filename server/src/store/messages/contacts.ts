import { operation, query } from '../engine/operation.ts'

/** Remembers when a customer last wrote; a late callback never moves the time back. */
export const noteInbound = operation({
  name: 'contacts.note_inbound',
  input: { number_id: 'text', customer_id: 'text', account_id: 'text', last_inbound_at: 'int?' },
  key: ['number_id', 'customer_id'],
  wakes: 'messages',
  sql: `insert into contacts (number_id, customer_id, account_id, last_inbound_at)
        select number_id, customer_id, account_id, last_inbound_at from rows where true
        on conflict (number_id, customer_id) do update set
          last_inbound_at = {max}(coalesce(excluded.last_inbound_at, 0), coalesce(contacts.last_inbound_at, 0))`,
})

/** The newest message to a number of who has any of these addresses. */
export const newestInbound = query({
  name: 'contacts.newest_inbound',
  params: { account_id: 'text', number_id: 'text', addresses: 'text[]' },
  returns: { last_inbound_at: 'int?' },
  sql: `select max(c.last_inbound_at) as last_inbound_at from customer_addresses a
        join contacts c on c.number_id = :number_id and c.customer_id = a.customer_id
        where a.account_id = :account_id and a.address in {list:addresses}`,
})

/** A customer stopped marketing messages or takes them again; a late or repeated word replaces none. */
export const notePreference = operation({
  name: 'contacts.note_preference',
  input: {
    number_id: 'text',
    customer_id: 'text',
    account_id: 'text',
    opted_out_at: 'int?',
    preference_at: 'int',
    preference_source: 'text',
    preference_by: 'text?',
  },
  key: ['number_id', 'customer_id'],
  returns: { number_id: 'text', customer_id: 'text' },
  required: true,
  wakes: 'messages',
  sql: `insert into contacts (number_id, customer_id, account_id, opted_out_at, preference_at, preference_source,
          preference_by)
        select number_id, customer_id, account_id, opted_out_at, preference_at, preference_source, preference_by
        from rows where true
        on conflict (number_id, customer_id) do update set
          opted_out_at = excluded.opted_out_at, preference_at = excluded.preference_at,
          preference_source = excluded.preference_source, preference_by = excluded.preference_by
        where coalesce(contacts.preference_at, 0) < excluded.preference_at
          or (contacts.preference_at = excluded.preference_at
            and (contacts.opted_out_at is null) <> (excluded.opted_out_at is null))
        returning number_id, customer_id`,
})

export const findPreference = query({
  name: 'contacts.preference',
  params: { account_id: 'text', number_id: 'text', address: 'text' },
  returns: { opted_out_at: 'int?', preference_at: 'int?', preference_source: 'text?', preference_by: 'text?' },
  sql: `select c.opted_out_at, c.preference_at, c.preference_source, c.preference_by from customer_addresses a
        join contacts c on c.number_id = :number_id and c.customer_id = a.customer_id
        where a.account_id = :account_id and a.address = :address and c.preference_at is not null`,
})

/** A customer was blocked, or with null unblocked. Only who is known here gets the mark: no row is made of it. */
export const markBlocked = operation({
  name: 'contacts.mark_blocked',
  input: { account_id: 'text', number_id: 'text', address: 'text', blocked_at: 'int?' },
  key: ['number_id', 'address'],
  wakes: 'messages',
  sql: `update contacts set blocked_at = rows.blocked_at
        from rows join customer_addresses a on a.account_id = rows.account_id and a.address = rows.address
        where contacts.number_id = rows.number_id and contacts.customer_id = a.customer_id`,
})

/** The facts about customers known to each of our numbers. */
export const contactsOf = query({
  name: 'contacts.of_customers',
  params: { account_id: 'text', customer_ids: 'text[]' },
  returns: {
    number_id: 'text',
    customer_id: 'text',
    last_inbound_at: 'int?',
    opted_out_at: 'int?',
    preference_at: 'int?',
    preference_source: 'text?',
    preference_by: 'text?',
    blocked_at: 'int?',
  },
  sql: `select number_id, customer_id, last_inbound_at, opted_out_at, preference_at, preference_source, preference_by,
          blocked_at
        from contacts where customer_id in {list:customer_ids} and account_id = :account_id`,
})
