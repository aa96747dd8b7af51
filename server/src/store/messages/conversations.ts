import { kysely } from '../engine/cursor.ts'
import type { Condition, Listing } from '../engine/list.ts'
import { query, type RowOf } from '../engine/operation.ts'

/** The newest message of a customer, from an index, whatever the number of messages. */
const newest = `(select m.id from messages m where m.account_id = r.account_id and m.customer_id = r.customer_id
          order by m.created_at desc, m.id desc limit 1) as last_id`

/** A customer is shown once: by the number of ours they last wrote to. */
const isNewest = `not exists (select 1 from contacts o where o.customer_id = r.customer_id
          and (o.last_inbound_at, o.number_id) > (r.last_inbound_at, r.number_id))`

/** The address a customer is shown by: the number they have now, otherwise their user id. */
const shown = `(select a.shown from customer_addresses a where a.customer_id = r.customer_id
          order by case when a.replaced_at is null then 0 else 1 end, case when a.shown like '+%' then 0 else 1 end,
            a.linked_at desc limit 1) as address`

const name = '(select n.name from customers n where n.id = r.customer_id)'

const conversationColumns = {
  number_id: 'text',
  customer_id: 'text',
  address: 'text?',
  name: 'text?',
  last_inbound_at: 'int',
  unread: 'int',
  last_id: 'text?',
} as const
export type ConversationRow = RowOf<typeof conversationColumns>

const columns = `r.number_id, r.customer_id, ${shown}, ${name} as name, r.last_inbound_at, r.unread, ${newest}`

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
  const named = search && isLike(name, search.name)
  const numbered = search?.digits
    ? sql`exists (select 1 from customer_addresses d
        where d.customer_id = r.customer_id and d.shown like ${`%${search.digits}%`})`
    : null
  return {
    table: 'contacts',
    columns,
    key: ['number_id', 'customer_id'],
    along: ['last_inbound_at', 'customer_id'],
    order: 'desc',
    time: 'last_inbound_at',
    fixed: { account_id: accountId },
    only: `${state === 'unread' ? 'r.unread > 0' : 'r.unread = 0'} and r.last_inbound_at is not null`,
    filters: [...(named ? [numbered ? sql`(${named} or ${numbered})` : named] : []), sql.raw(isNewest)],
  }
}

/** The same lines of customers who were found in another way. */
export const conversationsOf = query({
  name: 'conversations.of_customers',
  params: { account_id: 'text', customer_ids: 'text[]' },
  returns: conversationColumns,
  lane: 'list',
  sql: `select ${columns} from contacts r
        where r.customer_id in {list:customer_ids} and r.account_id = :account_id and r.last_inbound_at is not null
          and ${isNewest}`,
})
