import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayMs } from '../../server/src/lib/durations.ts'
import { firstIdAt, type IdPrefix } from '../../server/src/lib/ids.ts'
import { compileQuery, postgresOperation } from '../../server/src/store/engine/dialect.ts'
import { listsQuery } from '../../server/src/store/engine/list.ts'
import type { ColumnType, Shape } from '../../server/src/store/engine/operation.ts'
import { messageListing } from '../../server/src/store/messages/message-list.ts'
import { findMessagesByChannelId } from '../../server/src/store/messages/messages.ts'
import { openStore } from '../../server/src/store/open-store.ts'
import { hotStatements } from '../support/hot-statements.ts'
import { freshDatabase, type TestDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { type Declared, declaredStatements } from '../support/statements.ts'

const proof = 'plans'
const rows = scaled(50_000)
/** Rows that a statement may read and throw away. */
const removedMax = 100
const now = 2_000_000_000_000
const today = Date.UTC(2026, 10, 18)
const batchRows = 50
/** A row is found by an index, then looked up to be changed; messages have two directions. */
const readPerRowMax = 4

let made: TestDatabase
let client: pg.Client
let all: Map<string, Declared>
let readBeforeStatistics: number

beforeAll(async () => {
  made = await freshDatabase('postgres')
  client = new pg.Client(made.database.kind === 'postgres' ? made.database.url : '')
  await client.connect()
  await client.query('set plan_cache_mode = force_generic_plan')
  // Indexes are made at the end: one by one, rows would take three times as long.
  const store = await openStore({ database: made.database, now: 0, migrateFirst: false })
  await store.days.make(today)
  await store.close()
  const found = await client.query<{ drop: string; make: string }>(ownIndexes)
  for (const { drop } of found.rows) await client.query(drop)
  for (const statement of seeds) await client.query(statement)
  for (const [table, known] of Object.entries(onlyCleanedUp)) await client.query(await fillOf(table, known))
  for (const { make } of found.rows) await client.query(make)
  all = await declaredStatements('postgres')
  readBeforeStatistics = await messagesReadFor(100)
  await client.query('analyze')
  // A plan is the same whether or not a condition holds; the rows that are made up here meet none.
  await client.query(`create or replace function postern_unmet(positions bigint[]) returns bigint language sql
    as 'select null::bigint'`)
}, 600_000)
afterAll(async () => {
  await client.end()
  await made.remove()
})

/** Of tables in partitions, indexes belong together and stay. */
const partitioned = `select c.oid from pg_class c where c.relkind = 'p' or c.relispartition`
const ownIndexes = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
  from pg_constraint where contype in ('p', 'u') and connamespace = 'public'::regnamespace and conrelid not in (${partitioned})
  union all
  select format('drop index %I', indexname), indexdef
  from pg_indexes where schemaname = 'public' and indexname not in (select conname from pg_constraint)
    and tablename not in (select relname from pg_class where oid in (${partitioned}))`
const series = `generate_series(1, ${rows}) as g(i)`
const id = (prefix: string) => `'${prefix}_' || lpad(i::text, 9, '0')`
/** The same of today, for tables that have a partition for each day. */
const daily = (prefix: IdPrefix) => `'${firstIdAt(prefix, today)}' || lpad(i::text, 9, '0')`

/** One account has nearly everything, most of it long finished: what a statement must not wade through. */
const seeds = [
  `insert into accounts (id, name, plan, status, created_at, updated_at, revision)
    values ('acc_1', 'One', 'enterprise', 'active', 1, 1, 1)`,
  `insert into api_keys (id, account_id, kind, public_key, name, scopes, status, epoch, secret_mac, created_by, created_at, revision)
    select ${id('key')}, 'acc_1', 'key', ${id('pk')}, 'Key', '', 'active', 1, '', '', 1, 1 from generate_series(1, 100) as g(i)`,
  `insert into token_chains (id, account_id, key_id, created_at, refresh_closed_at)
    select ${id('chn')}, 'acc_1', 'key_000000001', i, case when i > ${rows} - 100 then null else 1 end from ${series}`,
  `insert into tokens (id, chain_id, key_id, account_id, scopes, issued_at, expires_at)
    select ${id('tok')}, ${id('chn')}, 'key_000000001', 'acc_1', '', i, ${now} from ${series}`,
  `insert into messages (id, account_id, number_id, direction, type, status, channel_message_id, customer_id, client_reference, held,
      content, history, event_sequence, created_at, revision)
    select ${id('out')}, 'acc_1', 'num_000000001', 'outbound', 'text', 'read', ${id('wamid')}, 'cus_' || (i % 500), ${id('ref')},
      0, '{}', '[]', 1, i, 1 from ${series}`,
  `insert into customers (id, account_id, active_at, created_at, revision)
    select ${id('cus')}, 'acc_1', i, i, 1 from ${series}`,
  `insert into customer_addresses (account_id, address, shown, customer_id, linked_at)
    select 'acc_1', ${id('phone')}, ${id('phone')}, ${id('cus')}, i from ${series}`,
  `insert into contacts (number_id, customer_id, account_id, last_inbound_at)
    select 'num_000000001', ${id('cus')}, 'acc_1', i from ${series}`,
  `insert into events (tx, id, account_id, type, subject, sequence, created_at, body)
    select 1, ${daily('evt')}, 'acc_1', 'message.read', ${id('out')}, 1, i, '{}' from ${series}`,
  `insert into webhooks (id, account_id, kind, url, events, active, max_in_flight, verification, verification_attempts,
      verification_lease_until, created_at, updated_at, revision)
    select ${id('whk')}, 'acc_1', 'events', 'https://hooks.test/', ' * ', 1, 10, 'verified', 0, 0, 1, 1, 1 from generate_series(1, 10) as g(i)`,
  `insert into webhook_states (webhook_id, total_sent, total_failed, paused_until, replay_matched)
    select id, 0, 0, 0, 0 from webhooks`,
  `insert into deliveries (id, webhook_id, account_id, type, subject, status, attempts, cause, created_at)
    select ${daily('dlv')}, 'whk_000000001', 'acc_1', 'message.read', ${id('out')}, 'delivered', 1, 'schedule', i from ${series}`,
  `insert into delivery_queue (id, webhook_id, account_id, type, subject, status, due_at, attempts, step, cause, created_at)
    select ${daily('dlv')} || 'q', 'whk_000000001', 'acc_1', 'message.read', ${id('out')}, 'pending', i, 1, 0, 'schedule', i
    from ${series}`,
  `insert into delivery_claims (delivery_id, webhook_id, subject, claim, lease_until)
    select id, webhook_id, subject, 'one', ${now} * 2 from delivery_queue order by due_at limit 10`,
  `insert into attempts (id, delivery_id, webhook_id, number, cause, late, url, started_at, duration_ms, response_headers)
    select ${id('att')}, ${daily('dlv')}, 'whk_000000001', 2, 'schedule', 0, '', i, 1, '' from ${series}`,
  `insert into jobs (id, lane, kind, subject, account_id, payload, run_at, attempts, lease_until, created_at)
    select ${id('job')}, case when i % 100 = 0 then 'main' else 'media' end, 'media.fetch', i::text,
      case when i % 100 = 0 then null else 'acc_' || (i % 3) end, '{}', ${now} - ${rows} + 2 * i, 0, 0, 1 from ${series}`,
  `insert into callback_queue (account_id, id, channel_id, size, received_at, attempts, lease_until, body)
    select 'acc_1', ${daily('cbk')}, 'chl_1', 1, i, 1, 0, '' from ${series} where i > ${rows} - 5000`,
  `insert into callback_seen (hash, seen_at) select decode(lpad(to_hex(i), 32, '0'), 'hex'), i from ${series}`,
  `insert into callback_items (channel_id, key_hash, account_id, callback_id, kind, state, item, received_at, attempts, due_at,
      expires_at, updated_at)
    select 'chl_1', i::text, 'acc_1', ${id('cbk')}, 'status', case when i > ${rows} - 50 then 'waiting' else 'settled' end,
      '{}', i, 1, i, ${now} * 2, i from ${series}`,
  `insert into idempotency_keys (account_id, endpoint, idempotency_key, fingerprint, message_id, outcome, lease_until, expires_at)
    select 'acc_1', 'text', ${id('idem')}, '', ${id('out')}, '{}', 0, ${now} from ${series}`,
  `insert into pacing select ${id('slot')}, i from ${series}`,
  `insert into guesses select ${id('slot')}, 1, i from ${series}`,
  `insert into request_log (id, account_id, key_id, at, method, route, status, duration_ms)
    select ${daily('req')}, 'acc_1', 'key_000000001', i, 'POST', '/v1/chat/messages/send', 200, 1 from ${series}`,
  `insert into channels (id, callback_id, account_id, kind, waba_id, base_url, graph_version, status, business_verified,
      connected_at, updated_at, revision)
    select 'chl_1', 'cb_1', 'acc_1', 'cloud', 'waba_1', '', '', 'active', 1, 1, 1, 1`,
  `insert into numbers (id, channel_id, account_id, phone_number_id, phone_number, status, sends_per_second, preferred_at,
      connected_at, updated_at)
    select ${id('num')}, 'chl_1', 'acc_1', ${id('pn')}, '+1', 'connected', 80, 0, i, 1 from generate_series(1, 20) as g(i)`,
  `insert into waiting_sends (message_id, account_id, number_id, rank, due_at, expires_at, attempts, held, request)
    select ${id('wai')}, 'acc_1', 'num_000000001', i % 2, ${now} + i, ${now} * 2 + i, 0, case when i % 3 = 0 then 1 else 0 end, '{}'
    from ${series}`,
  `insert into broadcasts (id, account_id, number_id, name, status, template, language, components, valid_for, accepted, taken,
      next_group, created_at, updated_at, sequence, revision)
    select ${id('new')}, 'acc_1', 'num_000000001', 'Offer', case when i = 5000 then 'running' else 'completed' end, 'offer', 'en',
      '[]', 1, 1, 0, 2, i, i, 1, 1 from generate_series(1, 10000) as g(i)`,
  `insert into broadcast_groups (broadcast_id, group_no, upload_id, size, taken, due_at, done)
    select ${id('new')}, 1, 'bup_1', 1, 0, 0, 0 from generate_series(1, 10000) as g(i)`,
  `insert into broadcast_recipients (broadcast_id, group_no, place, line, address, cells)
    select 'new_000005000', 1, i, i, ${id('phone')}, '[]' from ${series}`,
]

/** Tables of no hot path, which grow all the same. A column that is not named here is the number of the row. */
const onlyCleanedUp: Record<string, Record<string, string>> = {
  key_calls: {},
  media: { state: `'deleted'` },
  media_uploads: {},
  message_rollups: { account_id: `'acc_1'`, series: '1' },
  quota_usage: {},
  recipient_days: {},
  recipient_gaps: {},
  rollup_values: { account_id: `'acc_1'`, series: '1' },
  setup_links: {},
  template_days: {},
}

async function fillOf(table: string, known: Record<string, string>): Promise<string> {
  const columns = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = $1 and table_schema = 'public'
       and (is_nullable = 'NO' or column_name = any($2))`,
    [table, Object.keys(known)],
  )
  const names = columns.rows.map(({ name }) => name)
  return `insert into ${table} (${names.join(', ')}) select ${names.map((name) => known[name] ?? 'i').join(', ')} from ${series}`
}

const middle = String(Math.round(rows / 2)).padStart(9, '0')

/** Of what waits. */
const last = String(rows).padStart(9, '0')

/** What stands for a parameter: something that exists, from the middle of its table. */
const values: Record<string, unknown> = {
  account_id: 'acc_1',
  key_id: 'key_000000001',
  chain_id: `chn_${middle}`,
  webhook_id: 'whk_000000001',
  number_id: 'num_000000001',
  message_id: `out_${middle}`,
  media_id: 'med_1',
  delivery_id: `${firstIdAt('dlv', today)}${middle}`,
  public_key: 'pk_000000001',
  channel_id: 'chl_1',
  callback_id: 'cb_1',
  address: `phone_${middle}`,
  idempotency_key: `idem_${middle}`,
  endpoint: 'text',
  slot_key: `slot_${middle}`,
  lane: 'media',
  ids: [`out_${middle}`],
  channel_message_ids: [`wamid_${middle}`],
  keep: 100,
  count: batchRows,
  room: 10,
  cap: 10,
  ceiling: 20,
  series: 1,
  first_id: firstIdAt('dlv', today - dayMs),
  last_id: firstIdAt('dlv', today + dayMs),
  oldest: '',
  types: ' * ',
  since: 0,
  after_tx: 1,
  after_seq: Math.round(rows / 2),
  before_at: Math.round(rows / 2),
  before_id: '',
  per_second: null,
  number_slot: 'another',
  broadcast_id: 'new_000005000',
  group_no: 1,
  upto: 50,
  addresses: [`phone_${middle}`],
}

const ids: Record<string, string> = {
  tokens: 'tok',
  token_chains: 'chn',
  messages: 'out',
  jobs: 'job',
  api_keys: 'key',
}

function argumentOf(statement: string, column: string, type: ColumnType): unknown {
  if (column === 'id' && statement.startsWith('request_log.')) return `${firstIdAt('req', today)}new`
  if (column === 'id' && statement === 'events.insert') return `${firstIdAt('evt', today)}new`
  if (column === 'first_id' && statement === 'events.feed_start') return firstIdAt('evt', today)
  if (column === 'id' && statement === 'callbacks.insert') return `${firstIdAt('cbk', today)}new`
  if (column === 'id' && /insert|enqueue/.test(statement)) return 'new_1'
  if (column === 'id' && /^(deliveries|delivery_)/.test(statement)) return `${firstIdAt('dlv', today)}${middle}`
  if (column === 'id' && /callbacks?[.]/.test(statement)) return `${firstIdAt('cbk', today)}${last}`
  if (column === 'id') return `${ids[statement.split('.')[0] ?? ''] ?? 'new'}_${middle}`
  if (statement === 'messages.purge_content' && column === 'first_id') return 'out_'
  if (statement === 'messages.purge_content' && column === 'last_id') return `out_${middle}`
  if (column === 'after') return type === 'int' ? 0 : ''
  if (column in values) return values[column]
  if (type === 'text[]') return [`out_${middle}`]
  return { text: 'x', int: now, real: now, blob: Buffer.alloc(1) }[type.replace('?', '')]
}

/** An operation has two forms: arrays of many rows, and the values of a lone one. */
function callsOf(name: string, declared: Declared): { text: string; values: unknown[] }[] {
  const shape: Shape = declared.kind === 'operation' ? declared.operation.input : declared.query.params
  const given = (column: string) => (column === 'n' ? 1 : argumentOf(name, column, shape[column] ?? 'text'))
  if (declared.kind === 'query') {
    const { text, parameters } = compileQuery('postgres', declared.query)
    return [{ text, values: parameters.map(given) }]
  }
  const arrays = postgresOperation(declared.operation, 'arrays')
  const values = postgresOperation(declared.operation, 'values')
  return [
    { text: arrays.text, values: arrays.parameters.map((column) => [given(column)]) },
    { text: values.text, values: values.parameters.map(given) },
  ]
}

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Node[]
} & Record<string, unknown>

/** Rows that were read and thrown away, or read without an index, node by node. */
function wasteOf(node: Node): { what: string; rows: number }[] {
  const loops = node['Actual Loops']
  const removed = ['Rows Removed by Filter', 'Rows Removed by Index Recheck', 'Rows Removed by Join Filter'].map(
    (key) => ({
      what: `${node['Node Type']} on ${node['Relation Name'] ?? '-'}: ${key}`,
      rows: Number(node[key] ?? 0) * loops,
    }),
  )
  const whole = node['Node Type'] === 'Seq Scan' ? node['Actual Rows'] * loops : 0
  const scan = { what: `Seq Scan on ${node['Relation Name']}`, rows: whole }
  return [...removed, scan, ...(node.Plans ?? []).flatMap(wasteOf)]
}

async function worst(call: { text: string; values: unknown[] }): Promise<{ what: string; rows: number }> {
  return wasteOf(await planOf(call)).reduce((most, one) => (one.rows > most.rows ? one : most))
}

/** As the connections of requests make plans, which keep them: for any values. */
async function planOf(call: { text: string; values: unknown[] }): Promise<Node> {
  await client.query('begin')
  try {
    await client.query(`select set_config('postern.locked', 'whk_000000001', true)`)
    await client.query(`prepare tried as ${call.text}`)
    const given = call.values.length > 0 ? `(${call.values.map(toLiteral).join(', ')})` : ''
    const result = await client.query(`explain (analyze, format json) execute tried${given}`)
    const plan = (result.rows[0] as { 'QUERY PLAN': { Plan: Node }[] })['QUERY PLAN'][0]?.Plan
    if (!plan) throw new Error('no plan')
    return plan
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

/** `execute` takes no parameters. */
function toLiteral(value: unknown): string {
  if (value === null) return 'null'
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.map(toElement).join(',')}}` : toText(value))
}

function toElement(value: unknown): string {
  return value === null ? 'null' : JSON.stringify(toText(value))
}

function toText(value: unknown): string {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value)
}

/** Rows of messages that a batch of so many statuses reads. */
async function messagesReadFor(statuses: number): Promise<number> {
  const channelIds = Array.from({ length: statuses }, (_, index) => `wamid_${String(index + 1).padStart(9, '0')}`)
  const { text } = compileQuery('postgres', findMessagesByChannelId)
  const readBy = (node: Node): number =>
    (node['Relation Name'] === 'messages' ? node['Actual Rows'] * node['Actual Loops'] : 0) +
    (node.Plans ?? []).reduce((sum, below) => sum + readBy(below), 0)
  return readBy(await planOf({ text, values: ['acc_1', channelIds] }))
}

/** Rows of tables that a statement reads, kept or not. */
function readOf(node: Node): number {
  const removed = Number(node['Rows Removed by Filter'] ?? 0) + Number(node['Rows Removed by Index Recheck'] ?? 0)
  const own = node['Relation Name'] && node['Node Type'].includes('Scan') ? node['Actual Rows'] + removed : 0
  return own * node['Actual Loops'] + (node.Plans ?? []).reduce((sum, below) => sum + readOf(below), 0)
}

/** Changes of a bounded number of rows that are chosen by age or state. */
function batchedChanges(): [string, Declared][] {
  return [...all].filter(
    ([, declared]) =>
      declared.kind === 'operation' &&
      declared.operation.alone &&
      /\blimit \(select count from rows\)/.test(declared.operation.ctes + declared.operation.sql),
  )
}

/** Statements of the hot paths and reads of single rows: the most rows one throws away, and those that throw away many. */
async function wasteOfAll(): Promise<{ most: number; found: string[] }> {
  const found: string[] = []
  let most = 0
  const readsOfSingleRows = [...all].flatMap(([name, declared]) =>
    declared.kind === 'query' && declared.query.lane === 'point' ? name : [],
  )
  for (const name of new Set([...hotStatements, ...readsOfSingleRows])) {
    const declared = all.get(name)
    if (!declared) throw new Error(`There is no statement ${name}.`)
    for (const call of callsOf(name, declared)) {
      const { what, rows: wasted } = await worst(call)
      most = Math.max(most, wasted)
      if (wasted > removedMax) found.push(`${name}: ${what}: ${wasted}`)
    }
  }
  return { most, found }
}

describe(`on PostgreSQL with ${rows} rows in each table`, () => {
  test(`a statement of the hot paths, or a read of single rows, throws away at most ${removedMax} rows`, async () => {
    const { most, found } = await wasteOfAll()
    recordFigure(
      proof,
      `PostgreSQL, ${rows} rows in each table: most rows a statement of the hot paths threw away`,
      most,
    )
    expect(found).toEqual([])
  })

  test(`a change in batches reads at most ${readPerRowMax} rows for each that it may change`, async () => {
    const names = batchedChanges().map(([name]) => name)
    expect(names).toEqual(
      expect.arrayContaining(['callback_seen.expire', 'request_log.trim', 'messages.purge_content']),
    )
    const found: string[] = []
    for (const [name, declared] of batchedChanges()) {
      for (const call of callsOf(name, declared)) {
        const read = readOf(await planOf(call))
        if (read > readPerRowMax * batchRows + removedMax) found.push(`${name}: ${read} rows`)
      }
    }
    expect(found).toEqual([])
  })

  test('every operation is understood for many rows and for one', async () => {
    const refused: string[] = []
    for (const [name, declared] of all) {
      for (const { text } of callsOf(name, declared)) {
        await client.query(`prepare tried as ${text}`).then(
          () => client.query('deallocate tried'),
          (error: Error) => refused.push(`${name}: ${error.message}`),
        )
      }
    }
    expect(refused).toEqual([])
  })

  test('a batch of 100 statuses reads its messages only, with statistics and before there are any', async () => {
    // Each of them twice: by the id at the channel, then by its own.
    expect(readBeforeStatistics).toBe(200)
    expect(await messagesReadFor(100)).toBe(200)
  })

  test.each([
    ['of an account', {}],
    ['with one customer', { customerId: 'cus_100' }],
    ['with a reference', { clientReference: `ref_${middle}` }],
  ])('a page of messages %s throws away nothing', async (_, filters) => {
    const stretch = { after: [Math.round(rows / 2), `out_${middle}`], count: 50 }
    const { sql, parameters } = listsQuery('postgres', [[messageListing('acc_1', filters, 'desc'), stretch]])
    const { what, rows: wasted } = await worst({ text: sql, values: [...parameters] })
    expect(`${what}: ${wasted > removedMax ? wasted : 'few'}`).toBe(`${what}: few`)
  })

  test('the same holds while statistics are those of an hour in which nothing waited', async () => {
    const calm = [
      'create table away as select * from delivery_queue',
      'create table claimed as select * from delivery_claims',
      'delete from delivery_queue',
      'delete from delivery_claims',
      'create table unapplied as select * from callback_queue',
      'delete from callback_queue',
      `update callback_items set state = 'settled' where state = 'waiting'`,
      `delete from jobs`,
      // Without a vacuum: a queue that one job was left in keeps its size too, and counts as nearly empty.
      'analyze delivery_queue, delivery_claims, callback_queue, callback_items, jobs',
    ]
    const busy = [
      'insert into delivery_queue select * from away',
      'insert into delivery_claims select * from claimed',
      'insert into callback_queue select * from unapplied',
      `update callback_items set state = 'waiting' where received_at > ${rows} - 5000`,
      ...seeds.filter((seed) => seed.startsWith('insert into jobs')),
    ]
    for (const statement of [...calm, ...busy]) await client.query(statement)
    expect((await wasteOfAll()).found).toEqual([])
  })
})
