import { type Operation, operation, type Query, query, type Shape } from './engine/operation.ts'
import { schemaTables } from './sqlite/sqlite-copy-end.ts'

type Place = {
  table: string
  /** Which rows of the table belong to `:account_id`; a condition that an index serves, or of a table with few rows. */
  where: string
  /** Rows that know their account by this one alone, by a column with its last key: they go in the same unit. */
  also?: { table: string; by: string }
}

const own = 'account_id = :account_id'
const of = (column: string, parent: string) => `${column} in (select id from ${parent} where account_id = :account_id)`
const ofReceivers = `webhook_id in (select id from webhooks where account_id = :account_id
  union all select id from listeners where account_id = :account_id)`
const attempts = { table: 'attempts', by: 'delivery_id' }

/**
 * Where the rows of an account are, in the order in which they go: what belongs to a row goes before it. Members and the bytes
 * of files are not here: more than their rows has to go (installation/delete-account.ts).
 */
const places: readonly Place[] = [
  ...['sessions', 'callback_queue', 'jobs', 'waiting_sends', 'signups', 'alert_choices', 'mails'].map(ownRows),
  { table: 'setup_links', where: of('user_id', 'members') },
  { table: 'delivery_claims', where: ofReceivers },
  { table: 'delivery_queue', where: own, also: attempts },
  { table: 'deliveries', where: ofReceivers, also: attempts },
  // Of listeners that are gone.
  { table: 'deliveries', where: `event_id is not null and ${own}`, also: attempts },
  { table: 'webhook_states', where: ofReceivers },
  ...['webhook_places', 'webhooks', 'listeners', 'relay_items', 'events'].map(ownRows),
  { table: 'broadcast_problems', where: of('upload_id', 'broadcast_uploads') },
  { table: 'broadcast_recipients', where: of('broadcast_id', 'broadcasts') },
  { table: 'broadcast_skips', where: of('broadcast_id', 'broadcasts') },
  { table: 'broadcast_groups', where: of('broadcast_id', 'broadcasts') },
  ...['broadcast_uploads', 'broadcasts'].map(ownRows),
  { table: 'messages', where: own, also: { table: 'message_files', by: 'message_id' } },
  { table: 'message_files', where: of('media_id', 'media') },
  { table: 'contacts', where: of('number_id', 'numbers') },
  ...['threads', 'conversations', 'replies', 'reply_days', 'saved_replies', 'customer_addresses'].map(ownRows),
  { table: 'customers', where: `${own} and merged_into is null` },
  { table: 'customers', where: `${own} and merged_into is not null` },
  ...['media', 'media_usage'].map(ownRows),
  { table: 'template_changes', where: of('template_id', 'templates') },
  ...['template_syncs', 'templates'].map(ownRows),
  { table: 'keywords', where: of('number_id', 'numbers') },
  { table: 'send_lanes', where: of('number_id', 'numbers') },
  { table: 'media_uploads', where: of('number_id', 'numbers') },
  ...['told_states', 'callback_items', 'reported_days', 'volume_tiers'].map(ownRows),
  ...['channel_app_wabas', 'channel_apps', 'numbers', 'channels'].map(ownRows),
  {
    table: 'tokens',
    where: `chain_id in (select c.id from token_chains c join api_keys k on k.id = c.key_id
      where k.account_id = :account_id)`,
  },
  { table: 'token_chains', where: of('key_id', 'api_keys') },
  ...['connections', 'api_keys', 'key_calls', 'idempotency_keys', 'request_log'].map(ownRows),
  { table: 'budget_periods', where: of('budget_id', 'budgets') },
  ...['budgets', 'rate_cards'].map(ownRows),
  ...['analytics_steps', 'message_rollups', 'rollup_values', 'recipient_days', 'recipient_gaps'].map(ownRows),
  ...['price_days', 'template_days', 'quotas', 'quota_usage', 'quota_warnings'].map(ownRows),
  ...['audit_log', 'audit_heads', 'audit_anchors'].map(ownRows),
]

function ownRows(table: string): Place {
  return { table, where: own }
}

type Row = Readonly<Record<string, string | number>>

export type AccountRows = {
  readonly table: string
  readonly find: Query<{ account_id: 'text'; count: 'int' }, Shape>
  /** What each row found goes with, and then the row. */
  readonly remove: readonly { readonly operation: Operation; inputOf(row: Row): Row }[]
}

/** The statements, from the keys that the schema declares. They are found and then deleted by key: a look through a large table never holds up the writer. */
export function accountRows(): readonly AccountRows[] {
  made ??= places.map(toRows)
  return made
}

let made: readonly AccountRows[] | undefined

function toRows({ table, where, also }: Place, place: number): AccountRows {
  const key = keyOf(table)
  const columns = Object.keys(key)
  const last = columns.at(-1) ?? ''
  const find = query({
    name: `${table}.of_account_${place}`,
    params: { account_id: 'text', count: 'int' },
    returns: key,
    lane: 'list',
    sql: `select ${columns.join(', ')} from ${table} where ${where} limit :count`,
  })
  const others = also
    ? [
        {
          operation: deletion(also.table, { [also.by]: 'text' }),
          inputOf: (row: Row): Row => ({ [also.by]: row[last] ?? '' }),
        },
      ]
    : []
  return { table, find, remove: [...others, { operation: deletion(table, key), inputOf: (row) => row }] }
}

function deletion(table: string, key: Shape): Operation {
  const columns = Object.keys(key).join(', ')
  return operation({
    name: `${table}.delete_of_account`,
    input: key,
    key: Object.keys(key),
    sql: `delete from ${table} where (${columns}) in (select ${columns} from rows)`,
  })
}

function keyOf(table: string): Shape {
  tables ??= schemaTables()
  const found = tables.find(({ name }) => name === table)
  if (!found) throw new Error(`There is no table ${table}.`)
  const typeOf = (column: string) => found.columns.find(({ name }) => name === column)?.type
  return Object.fromEntries(found.key.map((column) => [column, typeOf(column) === 'text' ? 'text' : 'int'] as const))
}

let tables: ReturnType<typeof schemaTables> | undefined
