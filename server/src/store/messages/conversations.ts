import { kysely } from '../engine/cursor.ts'
import type { Condition, Listing } from '../engine/list.ts'
import { operation, query } from '../engine/operation.ts'

/**
 * The newest message under a number and under a user id: where a customer has both, messages may know one of them only.
 * Both come from an index, whatever the number of messages.
 */
const newest = `(select p.id from messages p where p.account_id = r.account_id and p.phone = r.phone
          order by p.created_at desc, p.id desc limit 1) as by_phone,
        (select u.id from messages u where u.account_id = r.account_id and u.user_id = r.user_id
          order by u.created_at desc, u.id desc limit 1) as by_user`

/** A customer is shown once: by the number of ours they last wrote to, and by the address they have now. */
const isNewest = `not exists (select 1 from contacts o where o.account_id = r.account_id and o.address = r.address
          and (o.last_inbound_at, o.number_id) > (r.last_inbound_at, r.number_id))
        and not exists (select 1 from contact_aliases a
          join contacts n on n.number_id = a.number_id and n.address = a.alias
          where a.number_id = r.number_id and a.address = r.address
            and (n.last_inbound_at, n.address) > (r.last_inbound_at, r.address))`

export type ConversationRow = {
  number_id: string
  address: string
  name: string | null
  last_inbound_at: number
  unread: number
  by_phone: string | null
  by_user: string | null
}

/** A word as it may be written: one engine compares letters as they are, the other knows the capitals of ASCII only. */
export type WordForms = readonly string[]

/** One of the forms, each a pattern of `like` with `\` before what would mean something there. */
export function isLike(column: string, forms: WordForms): Condition {
  const { sql } = kysely()
  const each = forms.map((form) => sql`${sql.raw(column)} like ${form} escape '\\'`)
  return sql`(${sql.join(each, sql` or `)})`
}

/** Customers who wrote, the latest first: those who wait to be read, or the others; with a part of their name or number. */
export function conversationListing(
  accountId: string,
  state: 'unread' | 'read',
  search: { name: WordForms; digits: string } | null = null,
): Listing<ConversationRow> {
  const { sql } = kysely()
  const named = search && isLike('r.name', search.name)
  const numbered = search?.digits ? sql`r.address like ${`%${search.digits}%`}` : null
  return {
    table: 'contacts',
    columns: `r.number_id, r.address, r.name, r.last_inbound_at, r.unread, ${newest}`,
    key: ['number_id', 'address'],
    along: ['last_inbound_at', 'address'],
    order: 'desc',
    time: 'last_inbound_at',
    fixed: { account_id: accountId },
    only: `${state === 'unread' ? 'r.unread > 0' : 'r.unread = 0'} and (r.phone is null or r.phone = r.address)
      and r.last_inbound_at is not null`,
    filters: [...(named ? [numbered ? sql`(${named} or ${numbered})` : named] : []), sql.raw(isNewest)],
  }
}

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
