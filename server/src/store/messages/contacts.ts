import { expireBefore } from '../engine/expire-before.ts'
import { operation, query } from '../engine/operation.ts'

/** The number of one who wrote with it hidden, as statuses of messages to it have told. */
const numberBehind = `(select a.alias from contact_aliases a
          where a.number_id = rows.number_id and a.address = rows.address and a.alias like '+%')`

/** Remembers when a customer last wrote, and counts what nobody has read; a late callback never moves the time back. */
export const noteInbound = operation({
  name: 'contacts.note_inbound',
  input: {
    number_id: 'text',
    address: 'text',
    account_id: 'text',
    phone: 'text?',
    user_id: 'text?',
    name: 'text?',
    last_inbound_at: 'int?',
    unread: 'int',
  },
  key: ['number_id', 'address'],
  wakes: 'messages',
  sql: `insert into contacts (number_id, address, account_id, phone, user_id, name, last_inbound_at, unread)
        select number_id, address, account_id, coalesce(phone, ${numberBehind}), user_id, name, last_inbound_at, unread
        from rows where true
        on conflict (number_id, address) do update set
          phone = coalesce(excluded.phone, contacts.phone), user_id = coalesce(excluded.user_id, contacts.user_id),
          name = coalesce(excluded.name, contacts.name), unread = contacts.unread + excluded.unread,
          last_inbound_at = {max}(coalesce(excluded.last_inbound_at, 0), coalesce(contacts.last_inbound_at, 0))`,
})

/**
 * The same for one known by number and user id who hides the number now: under it they are listed, and their row there must not
 * look old.
 */
export const noteInboundByNumber = operation({
  name: 'contacts.note_inbound_by_number',
  input: {
    number_id: 'text',
    address: 'text',
    account_id: 'text',
    name: 'text?',
    last_inbound_at: 'int',
    unread: 'int',
  },
  key: ['number_id', 'address'],
  wakes: 'messages',
  sql: `insert into contacts (number_id, address, account_id, phone, user_id, name, last_inbound_at, unread)
        select rows.number_id, known.phone, rows.account_id, known.phone, rows.address, rows.name, rows.last_inbound_at,
          rows.unread
        from rows join contacts known on known.number_id = rows.number_id and known.address = rows.address
        where known.phone is not null and known.phone <> rows.address
        on conflict (number_id, address) do update set user_id = excluded.user_id,
          name = coalesce(excluded.name, contacts.name), unread = contacts.unread + excluded.unread,
          last_inbound_at = {max}(excluded.last_inbound_at, coalesce(contacts.last_inbound_at, 0))`,
})

export const findContact = query({
  name: 'contacts.find',
  params: { number_id: 'text', address: 'text' },
  returns: { phone: 'text?', user_id: 'text?', name: 'text?', last_inbound_at: 'int?' },
  sql: 'select phone, user_id, name, last_inbound_at from contacts where number_id = :number_id and address = :address',
})

/**
 * A customer has another address too: the channel's form of the number, the number behind a user id, or what followed one they
 * had before.
 */
export const noteAlias = operation({
  name: 'contact_aliases.note',
  input: { number_id: 'text', address: 'text', alias: 'text', account_id: 'text', noted_at: 'int' },
  key: ['number_id', 'address'],
  together: { add: (_, later) => later },
  sql: `insert into contact_aliases (number_id, address, alias, account_id, noted_at)
        select number_id, address, alias, account_id, noted_at from rows where true
        on conflict (number_id, address) do update set alias = excluded.alias, noted_at = excluded.noted_at`,
})

/** The newest message under any of these addresses. */
export const newestInbound = query({
  name: 'contacts.newest_inbound',
  params: { number_id: 'text', addresses: 'text[]' },
  returns: { last_inbound_at: 'int?' },
  sql: `select max(last_inbound_at) as last_inbound_at from contacts
        where number_id = :number_id and address in {list:addresses}`,
})

/** Who else customers are: by number and user id, by what the channel made of a number, by what they had before. */
export const findContactLinks = query({
  name: 'contacts.links',
  params: { account_id: 'text', addresses: 'text[]' },
  returns: { address: 'text?', other: 'text?' },
  sql: `select phone as address, user_id as other from contacts where account_id = :account_id and address in {list:addresses}
        union all select address, alias from contact_aliases
        where account_id = :account_id and address in {list:addresses}
        union all select address, alias from contact_aliases
        where account_id = :account_id and alias in {list:addresses}`,
})

const preferenceParts = {
  input: {
    number_id: 'text',
    address: 'text',
    account_id: 'text',
    phone: 'text?',
    user_id: 'text?',
    opted_out_at: 'int?',
    preference_at: 'int',
  },
  key: ['number_id', 'address'],
  returns: { number_id: 'text', address: 'text' },
  sql: `insert into contacts (number_id, address, account_id, phone, user_id, opted_out_at, preference_at)
        select number_id, address, account_id, phone, user_id, opted_out_at, preference_at from rows where true
        on conflict (number_id, address) do update set
          phone = coalesce(excluded.phone, contacts.phone), user_id = coalesce(excluded.user_id, contacts.user_id),
          opted_out_at = excluded.opted_out_at, preference_at = excluded.preference_at
        where coalesce(contacts.preference_at, 0) < excluded.preference_at
          or (contacts.preference_at = excluded.preference_at
            and (contacts.opted_out_at is null) <> (excluded.opted_out_at is null))
        returning number_id, address`,
} as const

/** A customer stopped marketing messages or takes them again; a late or repeated word replaces none. */
export const notePreference = operation({ ...preferenceParts, name: 'contacts.note_preference' })

/** The same where a late or repeated word is not to be told again. */
export const noteNewPreference = operation({
  ...preferenceParts,
  name: 'contacts.note_new_preference',
  required: true,
})

export const findPreferences = query({
  name: 'contacts.preferences',
  params: { number_id: 'text', addresses: 'text[]' },
  returns: { opted_out_at: 'int?', preference_at: 'int?' },
  sql: `select opted_out_at, preference_at from contacts
        where number_id = :number_id and address in {list:addresses} and preference_at is not null`,
})

/** A customer was blocked, or with null unblocked. Only who is known here gets the mark: no row is made of it. */
export const markBlocked = operation({
  name: 'contacts.mark_blocked',
  input: { account_id: 'text', number_id: 'text', address: 'text', blocked_at: 'int?' },
  key: ['number_id', 'address'],
  wakes: 'messages',
  sql: `update contacts set blocked_at = rows.blocked_at from rows
        where contacts.number_id = rows.number_id and contacts.address = rows.address
          and contacts.account_id = rows.account_id`,
})

/** A name goes with the words it stood over. */
export const forgetNames = operation({
  name: 'contacts.forget_names',
  input: { before: 'int', count: 'int' },
  returns: { address: 'text' },
  alone: true,
  ctes: `old as (select {row:number_id, address} from contacts
           where name is not null and last_inbound_at < (select before from rows)
           order by last_inbound_at limit (select count from rows))`,
  sql: `update contacts set name = null
        where ({row:number_id, address}) {in:old} and last_inbound_at < (select before from rows)
        returning address`,
})

/** A customer who opted out stays: forgetting that would start the messages again. */
export const expireContacts = expireBefore({
  table: 'contacts',
  key: ['number_id', 'address'],
  time: 'last_inbound_at',
  only: 'opted_out_at is null',
})

const isOldSilence = 'last_inbound_at is null and opted_out_at is null and preference_at < (select before from rows)'

/** The same for customers who only told what they prefer, and never wrote: they are as old as that word. */
export const expireSilentContacts = operation({
  name: 'contacts.expire_silent',
  input: { before: 'int', count: 'int' },
  returns: { deleted: 'int' },
  alone: true,
  ctes: `old as (select {row:number_id, address} from contacts where ${isOldSilence} limit (select count from rows))`,
  sql: `delete from contacts where ({row:number_id, address}) {in:old} and ${isOldSilence} returning 1 as deleted`,
})

export const expireAliases = expireBefore({ table: 'contact_aliases', key: ['number_id', 'address'], time: 'noted_at' })
