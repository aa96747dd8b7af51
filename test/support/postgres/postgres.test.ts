import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { waitFor } from '../wait-for.ts'
import { startPostgres } from './postgres.ts'
import {
  cloneDatabase,
  createDatabase,
  createRunDatabase,
  dropRunDatabases,
  templateDatabase,
} from './postgres-databases.ts'

const adminUrl = inject('postgresUrl')
const SLEEPING = "select 1 from pg_stat_activity where wait_event = 'PgSleep'"

describe('the PostgreSQL of a test run', () => {
  test('a clone carries the rows of its template and changes to it stay its own', async () => {
    const template = await createDatabase(adminUrl)
    await run(template.url, 'create table t (n int)', 'insert into t values (1)')
    const clone = await cloneDatabase(adminUrl, template)
    await run(clone.url, 'insert into t values (2)')
    expect(await count(clone.url)).toBe(2)
    expect(await count(template.url)).toBe(1)
    await Promise.all([clone.drop(), template.drop()])
  })

  test('callers racing for a template prepare it once and all get it', async () => {
    let prepared = 0
    const prepare = async (url: string) => {
      prepared += 1
      await run(url, 'create table t (n int)')
    }
    const racers = Array.from({ length: 4 }, () => templateDatabase(adminUrl, 'race', prepare))
    const databases = await Promise.all(racers)
    expect(prepared).toBe(1)
    expect(new Set(databases.map((database) => database.url)).size).toBe(1)
    await databases[0]?.drop()
  })

  test('a template whose preparation fails is not left half made', async () => {
    const failing = templateDatabase(adminUrl, 'broken', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    const database = await templateDatabase(adminUrl, 'broken', (url) => run(url, 'create table t (n int)'))
    expect(await count(database.url)).toBe(0)
    await database.drop()
  })

  test('clearing a run drops its databases and no other', async () => {
    const other = await createDatabase(adminUrl)
    const mine = await createRunDatabase(adminUrl)
    const child = await createDatabase(mine.url)
    await dropRunDatabases(adminUrl, mine)
    expect(await names()).not.toContain(mine.name)
    expect(await names()).not.toContain(child.name)
    expect(await names()).toContain(other.name)
    await other.drop()
  })
})

describe('a PostgreSQL of its own', () => {
  test('a durable server keeps acknowledged rows through a kill and a restart', async () => {
    const server = await startPostgres({ durable: true })
    try {
      await run(server.url, 'create table t (n int)', 'insert into t select generate_series(1, 1000)')
      const killed = server.pid
      const busy = run(server.url, 'select pg_sleep(60)').catch((error: Error) => error.message)
      await waitFor(async () => (await query(server.url, SLEEPING)).length === 1)
      await server.kill()
      expect(await busy).toMatch(/terminated|ECONNRESET/)
      await expect(count(server.url)).rejects.toThrow(/ECONNREFUSED/)
      await server.restart()
      expect(server.pid).not.toBe(killed)
      expect(await count(server.url)).toBe(1000)
    } finally {
      await server.stop()
    }
  })

  test('stopping removes the server and its files', async () => {
    const server = await startPostgres()
    const folder = await dataFolder(server.url)
    await server.stop()
    await expect(count(server.url)).rejects.toThrow(/ECONNREFUSED/)
    expect(fs.existsSync(folder)).toBe(false)
  })

  test('the server and its files go away when the process that started it is killed', async () => {
    const script = `
      import { startPostgres } from ${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)}
      console.log((await startPostgres()).url)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const url = line.toString().trim()
    const folder = await dataFolder(url)
    child.kill('SIGKILL')
    await waitFor(() => !fs.existsSync(folder))
    await expect(count(url)).rejects.toThrow(/ECONNREFUSED/)
  })
})

async function run(url: string, ...statements: string[]): Promise<void> {
  await query(url, statements.join(';'))
}

async function count(url: string): Promise<number> {
  const rows = await query<{ n: number }>(url, 'select count(*)::int as n from t')
  return rows[0]?.n ?? -1
}

async function names(): Promise<string[]> {
  const rows = await query<{ datname: string }>(adminUrl, 'select datname from pg_database')
  return rows.map((row) => row.datname)
}

async function dataFolder(url: string): Promise<string> {
  const rows = await query<{ data_directory: string }>(url, 'show data_directory')
  return rows[0]?.data_directory ?? ''
}

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  // A killed server ends the connection beside the query, too.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
