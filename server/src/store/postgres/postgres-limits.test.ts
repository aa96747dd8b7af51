import net from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countRoundTrips } from '../../../../test/support/postgres/count-round-trips.ts'
import { freshStore } from '../../../../test/support/postgres/databases.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { explainStartFailure } from '../../start-failure.ts'
import { findAccount, insertAccount } from '../accounts/accounts.ts'
import { expireSetupLinks } from '../accounts/setup-links.ts'
import { expireTokens } from '../accounts/tokens.ts'
import type { Store } from '../engine/store.ts'
import { Unit } from '../engine/unit.ts'
import { openStore } from '../open-store.ts'

let store: Store
let url = ''
let dispose: () => Promise<void>
beforeAll(async () => {
  const fresh = await freshStore('postgres')
  store = fresh.store
  dispose = fresh.dispose
  if (fresh.test.database.kind === 'postgres') url = fresh.test.database.url
})
afterAll(() => dispose())

test('a table that stays locked is given up within 4 s by reads, lists and writes, and everything works after it', async () => {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin; lock table accounts in access exclusive mode')
  const startedAt = performance.now()
  const unavailable = { status: 'rejected', reason: { name: 'StoreUnavailable', outcome: 'not_stored' } }
  // Ten reads in one packet: waiting for the lock one after the other they would take half a minute.
  const reads = Array.from({ length: 10 }, (_, index) => store.read(findAccount, { id: `acc_${index}` }))
  const list = store.list({ sql: 'select id from accounts', parameters: [] } as never, 'acc_1')
  const outcomes = await Promise.allSettled([...reads, list, store.write(anAccount('acc_locked'))])
  expect(outcomes).toMatchObject(outcomes.map(() => unavailable))
  expect(performance.now() - startedAt).toBeLessThan(8_000)
  await holder.end()
  expect(await store.read(findAccount, { id: 'acc_locked' })).toEqual([])
  await store.write(anAccount('acc_locked'))
  expect(await store.read(findAccount, { id: 'acc_locked' })).toHaveLength(1)
})

test('clean-up waits behind a clean-up that takes long, and is done after it', async () => {
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin; lock table setup_links in access exclusive mode')
  const cleanUp = (operation: typeof expireTokens) => {
    const unit = new Unit()
    unit.add(operation, { before: 1, count: 10 })
    return store.writeApart(unit).then(
      () => 'done',
      (error: unknown) => error,
    )
  }
  const blocked = cleanUp(expireSetupLinks)
  await waitFor(async () => {
    const waiting = await holder.query(
      `select 1 from pg_locks where relation = 'setup_links'::regclass and not granted`,
    )
    return waiting.rowCount === 1
  })
  const behind = cleanUp(expireTokens)
  // Two requests, one after the other, meet the lock and give it up: longer than a request waits for a connection.
  for (const _ of ['first', 'second']) {
    await expect(store.list({ sql: 'select 1 from setup_links', parameters: [] } as never, 'acc_1')).rejects.toThrow()
  }
  await holder.end()
  expect(await Promise.all([blocked, behind])).toEqual(['done', 'done'])
})

test('a statement that is cancelled stores nothing of its batch', async () => {
  const other = new pg.Client({ connectionString: url })
  await other.connect()
  await other.query(
    `create function stall() returns trigger language plpgsql as 'begin perform pg_sleep(60); return new; end'`,
  )
  await other.query('create trigger stall before insert on accounts execute function stall()')
  const stalled = store.write(anAccount('acc_cancelled')).catch((error: unknown) => error)
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`
  while ((await other.query(cancel)).rowCount === 0) {}
  expect(await stalled).toMatchObject({ name: 'StoreUnavailable', outcome: 'not_stored' })
  await other.query('drop function stall() cascade')
  await other.end()
  expect(await store.read(findAccount, { id: 'acc_cancelled' })).toEqual([])
})

test('a connection pooler is refused at the start with a sentence', async () => {
  // As PgBouncer does it, whatever its mode: the process it names is not the one that answers.
  using pooler = await alterAnswers((bytes) => {
    const at = bytes.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
    if (at >= 0) bytes.writeUInt32BE(1, at + 5)
  })
  await expect(openStore({ database: { kind: 'postgres', url: pooler.url }, now: 0 })).rejects.toMatchObject({
    name: 'StoreRefusesToStart',
    message: expect.stringContaining('leads to a connection pooler such as PgBouncer'),
  })
})

test('a role that may not create tables, or does not own them, is refused with the statement that helps', async () => {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const role = `guest-${process.pid}`
  const quoted = pg.escapeIdentifier(role)
  await admin.query(`create role ${quoted} login password 'guest'`)
  try {
    const asGuest = Object.assign(new URL(url), { username: role, password: 'guest' }).href
    const start = () => openStore({ database: { kind: 'postgres', url: asGuest }, now: 0 })
    const refusal = async () => explainStartFailure(await start().catch((error: unknown) => error)) ?? ''
    await admin.query('revoke create on schema public from public')
    const [, grant = ''] = /^The role \S+ may not create tables .* run: (grant .*;)$/.exec(await refusal()) ?? []
    expect(grant).toBe(`grant usage, create on schema "public" to ${quoted};`)
    await admin.query(grant)
    expect(await refusal()).toContain(`alter table … owner to ${quoted};`)
    const { rows } = await admin.query(`select tablename from pg_tables where schemaname = 'public'`)
    for (const { tablename } of rows) await admin.query(`alter table ${tablename} owner to ${quoted}`)
    await (await start()).close()
    for (const { tablename } of rows) await admin.query(`alter table ${tablename} owner to current_user`)
  } finally {
    await admin.query(`drop owned by ${quoted}; drop role ${quoted}`)
    await admin.end()
  }
})

test('a PostgreSQL before 14 is refused with one sentence that names both versions', async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { server_version: version } = (await client.query('show server_version')).rows[0]
  await client.end()
  using old = await alterAnswers((bytes) => {
    const at = bytes.indexOf(dataRow(version))
    if (at >= 0) bytes.write('13', at + dataRow('').length)
  })
  const refusal = await openStore({ database: { kind: 'postgres', url: old.url }, now: 0 }).catch((error) => error)
  // The start and `postern doctor` both print this sentence.
  expect(explainStartFailure(refusal)).toMatch(
    /^POSTERN_DATABASE_URL leads to PostgreSQL 13\S*\. Postern needs PostgreSQL 14 or later: /,
  )
})

test('settings of the database or of its URL do not take the place of ours', async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1))
  const others = {
    default_transaction_isolation: 'serializable',
    jit: 'on',
    synchronous_commit: 'off',
    lock_timeout: '0',
  }
  for (const [setting, value] of Object.entries(others))
    await client.query(`alter database ${name} set ${setting} to '${value}'`)
  const elsewhere = new URL(url)
  elsewhere.searchParams.set('options', '-c search_path=public,elsewhere -c statement_timeout=0')
  const opened = await openStore({ database: { kind: 'postgres', url: elsewhere.href }, now: 0 })
  const asked = ['search_path', 'statement_timeout', ...Object.keys(others)]
  const sql = `select ${asked.map((setting) => `current_setting('${setting}') as ${setting}`).join(', ')}`
  expect(await opened.list({ sql, parameters: [] } as never, 'acc_1')).toEqual([
    {
      search_path: 'public,elsewhere',
      statement_timeout: '8s',
      default_transaction_isolation: 'read committed',
      jit: 'off',
      synchronous_commit: 'on',
      lock_timeout: '3s',
    },
  ])
  await opened.close()
  for (const setting of Object.keys(others)) await client.query(`alter database ${name} reset ${setting}`)
  await client.end()
})

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database in %s is refused with the statement that makes a usable one',
  async (encoding) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const other = new URL(url)
    other.pathname += `_${encoding.toLowerCase()}`
    const name = pg.escapeIdentifier(other.pathname.slice(1))
    await client.query(
      `create database ${name} template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
    )
    const refusal = await openStore({ database: { kind: 'postgres', url: other.href }, now: 0 }).catch((error) => error)
    await client.query(`drop database ${name} with (force)`)
    const sentence = explainStartFailure(refusal) ?? ''
    expect(sentence).toMatch(new RegExp(`^POSTERN_DATABASE_URL leads to a database in ${encoding}, `))
    const [, advice = ''] = /: (create database postern_utf8 .*)\.$/.exec(sentence) ?? []
    await client.query(advice.replace(' postern_utf8 ', ` ${name} `))
    await (await openStore({ database: { kind: 'postgres', url: other.href }, now: 0 })).close()
    await client.query(`drop database ${name} with (force)`)
    await client.end()
  },
)

test('a server that cannot see whether its client is gone is used all the same', async () => {
  // Only the operating system decides about the real setting; one that no server knows is refused likewise.
  const unknown = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll('client_connection_check', 'client_connection_chekk'), 'latin1')
  const counted = await countRoundTrips(url, unknown)
  const elsewhere = await openStore({ database: { kind: 'postgres', url: counted.url }, now: 0 })
  expect(await elsewhere.read(findAccount, { id: 'acc_nobody' })).toEqual([])
  const asked = counted.take().flatMap(({ statements }) => statements)
  expect(asked).toContain('set client_connection_check_interval = 2000')
  await elsewhere.close()
  await counted.close()
})

/** PostgreSQL behind a wire that changes what the server answers. */
async function alterAnswers(alter: (bytes: Buffer) => void): Promise<{ url: string } & Disposable> {
  const { hostname, port } = new URL(url)
  const open = new Set<net.Socket>()
  const wire = net.createServer((client) => {
    const server = net.connect(Number(port), hostname)
    open.add(client)
    client.pipe(server)
    server.on('data', (bytes) => {
      alter(bytes)
      client.write(bytes)
    })
    for (const socket of [client, server])
      socket.on('error', () => {}).on('close', () => [client, server].map((one) => one.destroy()))
  })
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  return {
    url: Object.assign(new URL(url), { port: (wire.address() as net.AddressInfo).port }).href,
    [Symbol.dispose]() {
      wire.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/** A row of one text, as it crosses the wire. */
function dataRow(text: string): Buffer {
  const row = Buffer.from(`D\0\0\0\0\0\x01\0\0\0\0${text}`)
  row.writeUInt32BE(row.length - 1, 1)
  row.writeUInt32BE(text.length, 7)
  return row
}

function anAccount(id: string): Unit {
  const unit = new Unit()
  const row = { id, name: 'Acme', plan: 'free', status: 'active', created_at: 1, updated_at: 1, revision: 1 }
  unit.add(insertAccount, row)
  return unit
}
