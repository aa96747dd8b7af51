import { operation, query, type RowOf } from '../engine/operation.ts'
import { messageColumnList, messageColumns } from './messages.ts'

/**
 * The newest message under a number and under a user id: where a customer has both, messages may know one of them only.
 * Both come from an index, whatever the number of messages.
 */
const newest = `(select p.id from messages p where p.account_id = c.account_id and p.phone = c.phone
          order by p.created_at desc, p.id desc limit 1) as by_phone,
        (select u.id from messages u where u.account_id = c.account_id and u.user_id = c.user_id
          order by u.created_at desc, u.id desc limit 1) as by_user`

/** A customer is shown once: by the number of ours they last wrote to, and by the address they have now. */
const isNewest = `not exists (select 1 from contacts o where o.account_id = c.account_id and o.address = c.address
          and (o.last_inbound_at, o.number_id) > (c.last_inbound_at, c.number_id))
        and not exists (select 1 from contact_aliases a
          join contacts n on n.number_id = a.number_id and n.address = a.alias
          where a.number_id = c.number_id and a.address = c.address
            and (n.last_inbound_at, n.address) > (c.last_inbound_at, c.address))`

const conversationColumns = {
  number_id: 'text',
  address: 'text',
  name: 'text?',
  last_inbound_at: 'int',
  unread: 'int',
  by_phone: 'text?',
  by_user: 'text?',
} as const
export type ConversationRow = RowOf<typeof conversationColumns>

const page = (state: string, before: string) => `select * from (
          select c.number_id, c.address, c.name, c.last_inbound_at, c.unread, ${newest}
          from contacts c
          where c.account_id = :account_id and ${state} and (c.phone is null or c.phone = c.address)
            and (c.last_inbound_at, c.address) < (:${before}_at, :${before}_address) and ${isNewest}
          order by c.last_inbound_at desc, c.address desc limit :count) ${before}`

/**
 * Customers who wrote: as many as wanted of those who wait to be read, and as many of the others, each before a moment.
 * One statement, so that nobody is missing who is read or writes while it runs. Its rows are in no order.
 */
export const listConversationRows = query({
  name: 'conversations.list',
  params: {
    account_id: 'text',
    waiting_at: 'int',
    waiting_address: 'text',
    others_at: 'int',
    others_address: 'text',
    count: 'int',
  },
  returns: conversationColumns,
  lane: 'list',
  sql: `${page('c.unread > 0', 'waiting')} union all ${page('c.unread = 0', 'others')}`,
})

/** A word as it may be written: one engine compares letters as they are, the other knows the capitals of ASCII only. */
const patterns = { typed: 'text', lower: 'text', upper: 'text', title: 'text' } as const
const isLike = (column: string) =>
  `(${Object.keys(patterns)
    .map((form) => `${column} like :${form} escape '\\'`)
    .join(' or ')})`

const looked = (state: string) => `select * from (select number_id, address, account_id, phone, user_id, name,
          last_inbound_at, unread from contacts
          where account_id = :account_id and ${state} and (phone is null or phone = address)
            and last_inbound_at is not null
          order by last_inbound_at desc, address desc limit :looked_at) ${state.includes('>') ? 'waiting' : 'others'}`

/** By a part of a name or number, among those who wrote last: `looked_at` unread ones and as many others. */
export const findConversations = query({
  name: 'conversations.find',
  params: { account_id: 'text', ...patterns, digits: 'text', looked_at: 'int', count: 'int' },
  returns: conversationColumns,
  lane: 'list',
  sql: `select c.number_id, c.address, c.name, c.last_inbound_at, c.unread, ${newest}
        from (${looked('unread > 0')} union all ${looked('unread = 0')}) c
        where (${isLike('c.name')} or (:digits <> '' and c.address like '%' || :digits || '%')) and ${isNewest}
        order by c.last_inbound_at desc, c.address desc limit :count`,
})

/** Messages with a word in them among the newest `looked_at` before a moment. JSON has more words than people wrote. */
export const findMessagesWith = query({
  name: 'messages.with_words',
  params: {
    account_id: 'text',
    before_at: 'int',
    before_id: 'text',
    ...patterns,
    looked_at: 'int',
    count: 'int',
  },
  returns: messageColumns,
  lane: 'list',
  sql: `select ${messageColumnList} from (select ${messageColumnList} from messages
          where account_id = :account_id and (created_at, id) < (:before_at, :before_id)
          order by created_at desc, id desc limit :looked_at) m
        where ${isLike('m.content')} and (m.phone is not null or m.user_id is not null)
        order by m.created_at desc, m.id desc limit :count`,
})

/** The last of these, from the index alone: where the search goes on. */
export const lastLookedAt = query({
  name: 'messages.last_looked_at',
  params: { account_id: 'text', before_at: 'int', before_id: 'text', looked_at: 'int' },
  returns: { created_at: 'int', id: 'text' },
  lane: 'list',
  sql: `select created_at, id from messages
        where account_id = :account_id and (created_at, id) < (:before_at, :before_id)
        order by created_at desc, id desc limit 1 offset :looked_at - 1`,
})

/** All rows of one customer: by number of ours and by address. */
export const contactsOf = query({
  name: 'contacts.of_customer',
  params: { account_id: 'text', addresses: 'text[]' },
  returns: {
    number_id: 'text',
    address: 'text',
    phone: 'text?',
    user_id: 'text?',
    name: 'text?',
    last_inbound_at: 'int?',
    opted_out_at: 'int?',
    preference_at: 'int?',
    blocked_at: 'int?',
    unread: 'int',
  },
  sql: `select number_id, address, phone, user_id, name, last_inbound_at, opted_out_at, preference_at, blocked_at, unread
        from contacts where account_id = :account_id and address in {list:addresses}`,
})

/** A member has read what a customer wrote, at whichever number of ours. */
export const readContact = operation({
  name: 'contacts.read',
  input: { account_id: 'text', address: 'text' },
  key: ['account_id', 'address'],
  wakes: 'messages',
  sql: `update contacts set unread = 0 from rows
        where contacts.account_id = rows.account_id and contacts.address = rows.address and contacts.unread > 0`,
})
