import { randomBytes } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../server/src/config/config.ts'
import { createLogger } from '../../server/src/observe/log.ts'
import { startService } from '../../server/src/service.ts'
import { migrate } from '../../server/src/store/engine/migrate.ts'
import { openStore } from '../../server/src/store/engine/open-store.ts'
import { migrations } from '../../server/src/store/migrations/all.ts'
import { type Database, type EngineName, engines, freshDatabase } from '../support/postgres/databases.ts'
import {
  cloneDatabase,
  createDatabase,
  type TestDatabase as PostgresDatabase,
} from '../support/postgres/postgres-databases.ts'
import { recordFigure, scaled } from '../support/proof.ts'
import { openRaw, type RawRow } from '../support/raw-database.ts'
import { waitFor } from '../support/wait-for.ts'
import { aWorld } from '../support/world.ts'

const masterKey = randomBytes(32).toString('hex')
const isProof = scaled(1) > 1
/** How many of the upgraded schemas a gateway is started on. */
const startedOn = scaled(3)
const reads = ['/v1/chat/messages?limit=100', '/v1/webhooks', '/v1/chat/templates?limit=100', '/v1/auth/me']

type Seed = { tables: Map<string, RawRow[]>; authorization: string; answers: unknown[] }

describe.each(engines)('data of an earlier version, on %s,', (engine) => {
  let seed: Seed
  beforeAll(async () => {
    seed = await makeSeed(engine)
  })

  test('is all there after the upgrade from every earlier schema, and the API reads it', async () => {
    const earlier = migrations.slice(0, -1)
    const everyNth = Math.ceil(earlier.length / startedOn)
    // PostgreSQL takes half a second for each: all of them in the proof.
    const step = engine === 'postgres' && !isProof ? 5 : 1
    const base = await emptyDatabase(engine)
    onTestFinished(base.remove)
    for (const [index, { id }] of earlier.entries()) {
      if (index % step !== 0 && index !== earlier.length - 1) continue
      // One release after another, as most installations come to a schema: from nothing, all of them take twice as long.
      await migrate(base.database, { now: 1, migrations: migrations.slice(0, index + 1) })
      const old = await base.copy()
      try {
        const seeded = await fill(old.database, seed)
        await migrate(old.database, { now: 2 })
        expect(`${id}: ${await missing(old.database, seeded)}`).toBe(`${id}: `)
        const isWhole = ['api_keys', 'messages', 'webhooks', 'templates'].every((table) => seeded.has(table))
        if (isWhole && index % everyNth === 0)
          expect(await answersOf(engine, old, seed.authorization)).toEqual(seed.answers)
      } finally {
        await old.remove()
      }
    }
    recordFigure('upgrade', `${engine}: schemas upgraded with data, nothing missing`, earlier.length)
  })

  test('is not opened by a program that is older than its schema, and one that runs goes on', async () => {
    const test = await freshDatabase(engine)
    const store = await openStore({ database: test.database, now: 1, migrateFirst: false })
    const next = { id: 9_999, name: 'next', statements: ['create table next_version (id bigint primary key)'] }
    try {
      await migrate(test.database, { now: 2, migrations: [...migrations, next] })
      await expect(openStore({ database: test.database, now: 3 })).rejects.toThrow(
        /The database has schema version 9999, this program knows up to \d+\. Start the newer version/,
      )
      await store.probeWrite()
      await store.probeRead()
    } finally {
      await store.close()
      await test.remove()
    }
  })
})

/** An account in use, made through the API of today. */
async function makeSeed(engine: EngineName): Promise<Seed> {
  const env = { POSTERN_MASTER_KEY: masterKey, POSTERN_WEBHOOK_VERIFICATION: 'off' }
  const world = await aWorld(engine, env)
  try {
    const { apiKey, apiSecret, customer } = world
    const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`
    await world.post('/v1/webhooks', { url: 'https://hooks.test/seed', events: ['template.approved'] })
    await world.post('/v1/chat/messages/send', { to: customer, message: 'seed' })
    await waitFor(async () => (await world.get(reads[0] ?? '')).body.data.messages[0].status === 'read')
    const answers = []
    for (const path of reads) answers.push(stable((await world.get(path)).body.data))
    const raw = await openRaw(world.database.database)
    const tables = new Map<string, RawRow[]>()
    for (const table of await raw.tables()) tables.set(table, await raw.rows(table))
    await raw.close()
    tables.delete('schema_migrations')
    // Folded at any moment, or not yet. Some of their series did not exist before a migration that makes them of others.
    tables.delete('message_rollups')
    return { tables, authorization, answers }
  } finally {
    await world.stop()
  }
}

type OldDatabase = { database: Database; folder: string; copy(): Promise<OldDatabase>; remove(): Promise<void> }

async function emptyDatabase(engine: EngineName): Promise<OldDatabase> {
  if (engine === 'postgres') return inPostgres(await createDatabase(inject('postgresUrl')))
  return inFolder()
}

async function inPostgres(made: PostgresDatabase): Promise<OldDatabase> {
  const { folder, remove } = await freshDatabase('sqlite')
  return {
    database: { kind: 'postgres', url: made.url },
    folder,
    copy: async () => inPostgres(await cloneDatabase(inject('postgresUrl'), made)),
    async remove() {
      await made.drop()
      await remove()
    },
  }
}

async function inFolder(original?: string): Promise<OldDatabase> {
  const { folder, remove } = await freshDatabase('sqlite')
  const path = `${folder}/old.db`
  if (original !== undefined) await copyFile(original, path)
  return { database: { kind: 'sqlite', path }, folder, copy: () => inFolder(path), remove }
}

/** The rows of the seed, as far as the schema has their tables and columns; what it had besides gets an empty value. */
async function fill(database: Database, { tables }: Seed): Promise<Map<string, number>> {
  const raw = await openRaw(database)
  const filled = new Map<string, number>()
  for (const table of await raw.tables()) {
    const rows = tables.get(table) ?? []
    const before = await raw.rows(table)
    if (rows.length === 0 || before.length > 0) continue
    const columns = await raw.columns(table)
    for (const row of rows) {
      const values = columns.flatMap(({ name, type, required }): [string, unknown][] => {
        if (row[name] !== undefined && row[name] !== null) return [[name, row[name]]]
        return required ? [[name, /int|numeric|real/.test(type) ? 0 : '']] : []
      })
      await raw.insert(table, Object.fromEntries(values))
    }
    filled.set(table, rows.length)
  }
  await raw.close()
  return filled
}

/** Tables with fewer rows than were filled in; those that the upgrade has removed or renamed are not looked at. */
async function missing(database: Database, seeded: ReadonlyMap<string, number>): Promise<string[]> {
  const raw = await openRaw(database)
  try {
    const now = await raw.tables()
    const fewer: string[] = []
    for (const [table, count] of seeded) {
      if (now.includes(table) && (await raw.rows(table)).length < count) fewer.push(table)
    }
    return fewer
  } finally {
    await raw.close()
  }
}

async function answersOf(
  engine: EngineName,
  { database, folder }: OldDatabase,
  authorization: string,
): Promise<unknown[]> {
  const { config } = loadConfig({
    env: {
      POSTERN_LISTEN: '127.0.0.1:0',
      POSTERN_ADMIN_LISTEN: '127.0.0.1:0',
      POSTERN_SANDBOX_LISTEN: 'off',
      POSTERN_MASTER_KEY: masterKey,
      POSTERN_DATA_DIR: folder,
      ...(database.kind === 'postgres' ? { POSTERN_DATABASE_URL: database.url } : {}),
    },
    terminal: false,
  })
  const settings = engine === 'sqlite' ? { ...config, database } : config
  const service = await startService({ ...settings, role: 'api' }, createLogger({ level: 'silent', format: 'json' }))
  try {
    const base = service.urls.base.replace('localhost', '127.0.0.1')
    const answers = []
    for (const path of reads) {
      const response = await fetch(`${base}${path}`, { headers: { authorization } })
      answers.push(stable(((await response.json()) as { data: unknown }).data))
    }
    return answers
  } finally {
    await service.stop()
  }
}

/** What does not depend on the moment: ids, and the texts and states of what they name. */
function stable(data: unknown): unknown {
  const lists = data as Record<string, { id?: string; message_id?: string; status?: string; name?: string }[]>
  const [list] = Object.values(lists).filter(Array.isArray)
  if (!list) return (data as { account?: { id: string } }).account?.id ?? null
  return list.map(({ id, message_id, status, name }) => ({ id: id ?? message_id, status, name }))
}
