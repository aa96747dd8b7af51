import { kysely } from '../engine/cursor.ts'
import type { Condition, Listing } from '../engine/list.ts'
import { query, type RowOf } from '../engine/operation.ts'

/** The newest message of a customer, from an index, whatever the number of messages. */
const newest = `(select m.id from messages m where m.account_id = r.account_id and m.customer_id = r.customer_id
          order by m.created_at desc, m.id desc limit 1) as last_id`

/** The address a customer is shown by: the number they have now, otherwise their user id. */
const shown = `(select a.shown from customer_addresses a where a.customer_id = r.customer_id
          order by case when a.replaced_at is null then 0 else 1 end, case when a.shown like '+%' then 0 else 1 end,
            a.linked_at desc limit 1) as address`

const name = '(select n.name from customers n where n.id = r.customer_id)'

const conversationColumns = {
  number_id: 'text?',
  customer_id: 'text',
  address: 'text?',
  name: 'text?',
  state: 'text',
  assignee_id: 'text?',
  assigned_at: 'int?',
  unread: 'int',
  waiting_since: 'int?',
  last_inbound_at: 'int?',
  active_at: 'int',
  closed_at: 'int?',
  last_id: 'text?',
} as const
export type ConversationRow = RowOf<typeof conversationColumns>

const columns = `r.number_id, r.customer_id, ${shown}, ${name} as name, r.state, r.assignee_id, r.assigned_at, r.unread,
  r.waiting_since, r.last_inbound_at, r.active_at, r.closed_at, ${newest}`

/** A word as it may be written: one engine compares letters as they are, the other knows the capitals of ASCII only. */
export type WordForms = readonly string[]

/** One of the forms, each a pattern of `like` with `\` before what would mean something there. */
export function isLike(column: string, forms: WordForms): Condition {
  const { sql } = kysely()
  const each = forms.map((form) => sql`${sql.raw(column)} like ${form} escape '\\'`)
  return sql`(${sql.join(each, sql` or `)})`
}

export type ConversationFilters = {
  state: 'open' | 'closed'
  /** The id of a person, or null: of nobody. Without it, of anybody. */
  assignee?: string | null
  unread?: boolean
  /** The customer last wrote in this stretch of time. */
  wroteBetween?: readonly [number, number]
  /** Numbers that are all the reader may see. */
  numberIds?: readonly string[] | null
  /** A part of the name or number. */
  search?: { name: WordForms; digits: string }
}

function conditionsOf({ assignee, unread, wroteBetween, numberIds, search }: ConversationFilters): Condition[] {
  const { sql } = kysely()
  const conditions: Condition[] = []
  if (assignee === null) conditions.push(sql.raw('r.assignee_id is null'))
  else if (assignee !== undefined) conditions.push(sql`coalesce(r.assignee_id, '') = ${assignee}`)
  if (unread) conditions.push(sql.raw('r.unread > 0'))
  if (wroteBetween) {
    const [since, until] = wroteBetween
    conditions.push(sql`coalesce(r.last_inbound_at, 0) > ${since} and coalesce(r.last_inbound_at, 0) <= ${until}`)
  }
  if (numberIds) conditions.push(sql`coalesce(r.number_id, '') in (${sql.join([...numberIds])})`)
  if (search) {
    const named = isLike(name, search.name)
    const numbered = sql`exists (select 1 from customer_addresses d
        where d.customer_id = r.customer_id and d.shown like ${`%${search.digits}%`})`
    conditions.push(search.digits ? sql`(coalesce(${named}, false) or ${numbered})` : sql`coalesce(${named}, false)`)
  }
  return conditions
}

/** By the last activity, the newest first. */
export function conversationListing(accountId: string, filters: ConversationFilters): Listing<ConversationRow> {
  return {
    table: 'conversations',
    columns,
    key: ['customer_id'],
    along: ['active_at', 'customer_id'],
    order: 'desc',
    // Nobody writes without being active.
    since: filters.wroteBetween?.[0],
    time: 'active_at',
    fixed: { account_id: accountId, state: filters.state },
    filters: conditionsOf(filters),
  }
}

/** Customers without a reply, longest wait first. */
export function waitingListing(accountId: string, filters: ConversationFilters): Listing<ConversationRow> {
  return {
    table: 'conversations',
    columns,
    key: ['customer_id'],
    along: ['waiting_since', 'customer_id'],
    order: 'asc',
    time: null,
    fixed: { account_id: accountId },
    only: 'r.waiting_since is not null',
    filters: conditionsOf(filters),
  }
}

/** Those of customers who were found in another way. */
export const conversationsOf = query({
  name: 'conversations.of_customers',
  params: { account_id: 'text', customer_ids: 'text[]' },
  returns: conversationColumns,
  lane: 'list',
  sql: `select ${columns} from conversations r
        where r.customer_id in {list:customer_ids} and r.account_id = :account_id`,
})

/** Counts for the inbox's tabs and icon, over a limited number of open conversations. */
export const countOpen = query({
  name: 'conversations.count_open',
  params: { account_id: 'text', user_id: 'text', count: 'int' },
  returns: { open: 'int', unread: 'int', mine: 'int', unassigned: 'int' },
  lane: 'list',
  sql: `select count(*) as open, coalesce(sum(case when unread > 0 then 1 else 0 end), 0) as unread,
          coalesce(sum(case when assignee_id = :user_id then 1 else 0 end), 0) as mine,
          coalesce(sum(case when assignee_id is null then 1 else 0 end), 0) as unassigned
        from (select unread, assignee_id from conversations where account_id = :account_id and state = 'open'
          order by active_at desc, customer_id desc limit :count) newest`,
})

/** Customers without a reply, and who of them has waited longest. */
export const countWaiting = query({
  name: 'conversations.count_waiting',
  params: { account_id: 'text', count: 'int' },
  returns: { waiting: 'int', since: 'int?' },
  lane: 'list',
  sql: `select count(*) as waiting, min(waiting_since) as since
        from (select waiting_since from conversations where account_id = :account_id and waiting_since is not null
          order by waiting_since, customer_id limit :count) longest`,
})
