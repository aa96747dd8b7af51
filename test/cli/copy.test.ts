import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstIdAt } from '../../server/src/lib/ids.ts'
import { schemaTables } from '../../server/src/store/sqlite/sqlite-copy-end.ts'
import { processTimeoutMs, startPostern } from '../support/child-process.ts'
import { contentsOf, sendAndReceive } from '../support/media-of-every-kind.ts'
import { type Database, freshDatabase } from '../support/postgres/databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { openRaw, type RawDatabase } from '../support/raw-database.ts'
import { runPostern } from '../support/run-postern.ts'
import { aPlayground, type Gateway, type Playground, stop, tokenOf } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

const messages = scaled(1_000)
/** In the middle of the table, and inside a page of the copy. */
const blockedId = `out_seed${Math.round(messages * 0.6)}`
const lock = 4_711
const patienceMs = scaled(60_000)
/** Facts that a copy replaces, so that what waits is held, and on SQLite also that cursors of the feed are refused. */
const replaced = ['waiting_epoch', 'feed_epoch']

const closers: (() => Promise<unknown>)[] = []
let play: Playground
let sqlite: Database
let postgres: Extract<Database, { kind: 'postgres' }>
let raw: RawDatabase
let env: Record<string, string>
let account = { api_key: '', api_secret: '' }
let files: { ids: string[]; contents: Map<string, string> }
let cursor: string
let waitingId: string
/** The newest of its events is gone, and its number is not given again. */
let lastNumber: number

type Answer = { data: Data; error?: { code: string } }
type Data = { message_id: string; events: { id: string }[]; pagination: { next_cursor: string; has_more: boolean } }

async function call(gateway: Gateway, method: string, path: string, body?: object) {
  const authorization = `Basic ${btoa(`${account.api_key}:${account.api_secret}`)}`
  const response = await fetch(`${gateway.base_url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: (await response.json()) as Answer }
}

const asText = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value))

/** Rows of every table as text, in an order that both engines give. */
async function everything(database: Database): Promise<Record<string, string[]>> {
  const found = await openRaw(database)
  const rows: Record<string, string[]> = {}
  for (const { name, columns } of schemaTables()) {
    const kept = (await found.rows(name)).filter(
      (row) => name !== 'installation' || !replaced.includes(String(row.name)),
    )
    rows[name] = kept.map((row) => columns.map((column) => asText(row[column.name])).join('\u0001')).sort()
  }
  await found.close()
  return rows
}

beforeAll(async () => {
  play = await aPlayground()
  closers.push(play.dispose)
  const other = await freshDatabase('postgres')
  closers.push(other.remove)
  if (other.database.kind !== 'postgres') throw new Error('This is about PostgreSQL.')
  postgres = other.database
  sqlite = { kind: 'sqlite', path: join(play.dataDir, 'postern.db') }
  env = { POSTERN_DATABASE_URL: postgres.url }
  raw = await openRaw(postgres)
  closers.push(raw.close)

  const gateway = await play.serve()
  const { api_key = '', api_secret = '', account_id = '' } = gateway.firstRun ?? {}
  account = { api_key, api_secret }
  const token = await tokenOf(gateway.base_url, account)
  const ids = await sendAndReceive(gateway, token)
  files = { ids, contents: await contentsOf(gateway, token, ids) }
  const later = { to: '+12025550100', template: 'hello_world', language: 'en_US', send_at: soon() }
  waitingId = (await call(gateway, 'POST', '/v1/chat/messages/template', later)).body.data.message_id
  cursor = (await call(gateway, 'GET', '/v1/events?limit=5')).body.data.pagination.next_cursor
  await stop(gateway)
  await seed(account_id)
}, processTimeoutMs)

afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const soon = () => new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z')

async function seed(accountId: string): Promise<void> {
  const file = await openRaw(sqlite)
  const common = { account_id: `'${accountId}'`, created_at: '1700000000000 + i' }
  await file.fill('messages', messages, {
    ...common,
    id: "'out_seed' || i",
    ...{ number_id: "'pn_seed'", direction: "'outbound'", type: "'text'", status: "'delivered'", held: '0' },
    ...{ history: "'[]'", event_sequence: '1', revision: '1', content: `'{"text":"Olá 🙂 ' || i || '"}'` },
  })
  await file.fill('events', messages, {
    ...common,
    id: `'${firstIdAt('evt', Date.now())}' || i`,
    ...{ tx: '0', type: "'message.sent'", subject: "'out_seed' || i", sequence: '1' },
    body: `(select e.body from events e where e.type = 'message.sent' order by e.seq limit 1)`,
  })
  lastNumber = Number((await file.run('select max(seq) as n from events'))[0]?.n)
  await file.run('delete from events where seq = (select max(seq) from events)')
  // More rows than a page that differ in the last column of their key alone.
  await file.fill('replies', 600, {
    ...{ account_id: `'${accountId}'`, customer: "'seed'", user_id: "'usr_seed'" },
    ...{ waited_since: `${Date.now()} + i`, replied_at: `${Date.now()} + i` },
  })
  await file.close()
}

/** A change of the source that the copy has behind it. */
async function changeFirst(revision: string): Promise<void> {
  const file = await openRaw(sqlite)
  await file.run(`update messages set revision = ${revision} where id = 'out_seed1'`)
  await file.close()
}

describe('a copy from SQLite to PostgreSQL', { timeout: scaled(processTimeoutMs) }, () => {
  test('goes on after kill -9 and is equal to the row', async () => {
    const before = await everything(sqlite)
    await raw.run(`create function wait_here() returns trigger language plpgsql as $$
      begin perform pg_advisory_lock(${lock}); perform pg_advisory_unlock(${lock}); return new; end $$`)
    await raw.run(`create trigger wait_here before insert on messages for each row
      when (new.id = '${blockedId}') execute function wait_here()`)
    await raw.run(`select pg_advisory_lock(${lock})`)
    const startedAt = performance.now()
    const first = startPostern(['copy', '--data', play.dataDir], { env })
    closers.push(first.destroy)
    await waitFor(
      async () => (await raw.run(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).length > 0,
      patienceMs,
    )
    first.signal('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')
    await raw.run(`select pg_advisory_unlock(${lock})`)
    await raw.run('drop trigger wait_here on messages')
    await raw.run('drop function wait_here')
    const [half] = await raw.run('select count(*) as n from messages')
    expect(Number(half?.n)).toBeGreaterThan(0)
    expect(Number(half?.n)).toBeLessThan(messages)

    const refused = await play.runHere(['accounts', 'list'], env)
    expect(refused.stderr).toContain("The copy into this database is not finished: run 'postern copy' again")

    await changeFirst('2')
    const differs = await play.runHere(['copy'], env)
    expect([differs.code, differs.stderr]).toEqual([1, expect.stringContaining("The copy of 'messages' differs")])
    await changeFirst('1')
    const done = await play.runHere(['copy', '--json'], env)
    expect(done.code, done.stderr).toBe(0)
    const seconds = (performance.now() - startedAt) / 1_000
    expect(done.json).toMatchObject({ from: 'SQLite', to: 'PostgreSQL', resumed: true, held: 1, missing_files: [] })
    expect(done.json.files).toBe(new Set(files.contents.values()).size)
    const after = await everything(postgres)
    for (const [table, rows] of Object.entries(before)) expect(after[table], table).toEqual(rows)
    expect(await everything(sqlite)).toEqual(before)
    const rows = Object.values(before).reduce((sum, { length }) => sum + length, 0)
    recordFigure('copy to PostgreSQL', 'messages, rows of all tables', `${messages}, ${rows}`)
    recordFigure('copy to PostgreSQL', 'seconds with a kill in the middle and the comparison', seconds.toFixed(1))
    recordFigure('copy to PostgreSQL', 'rows that differ', 0)
  })

  test('keeps keys, cursors and files working, and holds what waits', async () => {
    const gateway = await play.serve([], env)
    expect(gateway.firstRun).toBeNull()
    const seen = new Set<string>()
    for (let next = cursor; ; ) {
      const { status, body } = await call(gateway, 'GET', `/v1/events?limit=100&cursor=${encodeURIComponent(next)}`)
      expect(status).toBe(200)
      for (const { id } of body.data.events) seen.add(id)
      next = body.data.pagination.next_cursor
      if (!body.data.pagination.has_more || seen.size > 500) break
    }
    expect(seen.size).toBeGreaterThan(500)
    const waiting = await call(gateway, 'GET', `/v1/chat/messages/${waitingId}`)
    expect(waiting.body.data).toMatchObject({ status: 'waiting', waiting_for: 'person' })
    const token = await tokenOf(gateway.base_url, account)
    expect(await contentsOf(gateway, token, files.ids)).toEqual(files.contents)
    const sent = await call(gateway, 'POST', '/v1/chat/messages/send', { to: '+12025550100', message: 'Moved.' })
    expect(sent.status, JSON.stringify(sent.body)).toBe(200)
    const newer = await raw.run(`select seq from events where seq >= ${lastNumber} order by seq limit 1`)
    expect(Number(newer[0]?.seq)).toBe(lastNumber + 1)
    const busy = await runPostern(['copy', '--data', join(play.folder, 'elsewhere'), '--back'], { env })
    expect(busy.stderr).toContain('A gateway is connected to this PostgreSQL database: stop it first')
    await stop(gateway)
  })

  test('leaves the old data alone: neither the gateway nor a command uses them', async () => {
    for (const args of [
      ['serve', '--port', '0'],
      ['keys', 'list'],
      ['backup', join(play.folder, 'late')],
    ]) {
      const { code, stderr } = await play.runHere(args)
      expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining('were moved to PostgreSQL')])
    }
    const folder = join(play.folder, 'again')
    mkdirSync(folder)
    for (const name of ['postern.db', 'master.key']) copyFileSync(join(play.dataDir, name), join(folder, name))
    expect((await runPostern(['keys', 'list', '--data', folder])).code).toBe(0)
  })
  test('is refused into a database with data, without an address, and with another key', async () => {
    const again = await play.runHere(['copy'], env)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The target already contains data')])
    const none = await play.runHere(['copy'])
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('Set POSTERN_DATABASE_URL')])
    const otherKey = await play.runHere(['copy'], { ...env, POSTERN_MASTER_KEY: 'ab'.repeat(32) })
    expect(otherKey.stderr).toContain('needs another master key')
    const nowhere = await play.runHere(['copy'], { POSTERN_DATABASE_URL: 'postgres://127.0.0.1:9/postern' })
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringMatching(/The database is not reachable: .*\n$/)])
  })

  test('goes back to SQLite', async () => {
    const dataDir = join(play.folder, 'back')
    mkdirSync(dataDir)
    copyFileSync(join(play.dataDir, 'master.key'), join(dataDir, 'master.key'))
    const before = await everything(postgres)
    const back = startPostern(['copy', '--back', '--data', dataDir], { env })
    closers.push(back.destroy)
    expect(await back.ended, back.output.stderr).toBe(0)
    expect(back.output.stdout).toContain('Every table has the same rows as its original.')
    const target: Database = { kind: 'sqlite', path: join(dataDir, 'postern.db') }
    expect(await everything(target)).toEqual(before)

    const unfinished = await openRaw(target)
    await unfinished.run(`insert into installation (name, value) values ('copy_open', 'ins_other')`)
    await unfinished.run('create table copy_steps (name text primary key, after_key text, rows bigint not null)')
    await unfinished.run('delete from messages where direction = ?1', ['outbound'])
    await unfinished.close()
    const foreign = await runPostern(['copy', '--back', '--data', dataDir], { env })
    expect(foreign.stderr).toContain('an unfinished copy of another installation')
    const again = await runPostern(['copy', '--back', '--restart', '--data', dataDir], { env })
    expect(again.code, again.stderr).toBe(0)
    expect(await everything(target)).toEqual(before)
    const gateway = await play.serve(['--data', dataDir])
    const refused = await call(gateway, 'GET', `/v1/events?cursor=${encodeURIComponent(cursor)}`)
    expect(refused.body.error?.code).toBe('invalid_cursor')
    const token = await tokenOf(gateway.base_url, account)
    expect(await contentsOf(gateway, token, files.ids)).toEqual(files.contents)
    await stop(gateway)
  })
})

test('a copy knows every table of PostgreSQL', async () => {
  const tables = new Set(schemaTables().map(({ name }) => name))
  const unknown = (await raw.tables()).filter((name) => !tables.has(name) && !/_\d{8}$/.test(name))
  // The bytes of files, which SQLite keeps beside the database, and what was applied to this one.
  expect(unknown.sort()).toEqual(['blob_chunks', 'schema_migrations'])
})

test('a copy knows every column of PostgreSQL', async () => {
  const columns = new Map(schemaTables().map((table) => [table.name, table.columns.map(({ name }) => name).sort()]))
  const found = (await raw.run(
    `select table_name::text as place, column_name::text as name from information_schema.columns
     where table_schema = 'public' order by table_name, column_name collate "C"`,
  )) as { place: string; name: string }[]
  const ofPostgres = Map.groupBy(found, ({ place }) => place)
  for (const [table, known] of columns)
    expect(
      ofPostgres.get(table)?.map(({ name }) => name),
      table,
    ).toEqual(known)
})
