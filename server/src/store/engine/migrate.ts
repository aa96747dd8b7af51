import { createHash } from 'node:crypto'
import type pg from 'pg'
import { migrations as ours } from '../migrations/all.ts'
import type { Migration } from '../migrations/migration.ts'
import { connection } from '../postgres/postgres-connection.ts'
import { findPrimary, type Primary } from '../postgres/postgres-primary.ts'
import { openSqlite } from '../sqlite/sqlite-connection.ts'
import { type Engine, translate } from './dialect.ts'
import { StoreRefusesToStart } from './store-error.ts'

export type MigrationState = { id: number; name: string; state: 'applied' | 'pending'; applied_at: number | null }
export type Database = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }
type Options = { now: number; migrations?: readonly Migration[] }
type Applied = { id: number; checksum: string; applied_at: number }

/** A connection as migrations need it: few statements, one after another, in one transaction. */
type Session = {
  engine: Engine
  run(sql: string, values?: (string | number)[]): Promise<void>
  rows(sql: string): Promise<Applied[]>
  /** Waits for another process that is migrating, and then sees what it did. */
  locked(work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Brings the schema up to date; safe when several processes start at once. Returns what was applied now. */
export async function migrate(database: Database, { now, migrations = ours }: Options): Promise<Migration[]> {
  const session = await openSession(database)
  const applied: Migration[] = []
  try {
    await session.locked(async () => {
      await session.run(createLedger)
      const known = await session.rows(readLedger)
      for (const migration of pendingOf(session.engine, known, migrations)) {
        for (const statement of statementsOf(session.engine, migration)) await session.run(statement)
        const [first, second] = session.engine === 'sqlite' ? ['?1', '?2, ?3, ?4'] : ['$1', '$2, $3, $4']
        await session.run(
          `insert into schema_migrations (id, name, checksum, applied_at) values (${first}, ${second})`,
          [migration.id, migration.name, checksumOf(session.engine, migration), now],
        )
        applied.push(migration)
      }
    })
  } finally {
    await session.close()
  }
  return applied
}

/** What is applied and what is not, without changing anything but the ledger table itself. */
export async function migrationStates(
  database: Database,
  migrations: readonly Migration[] = ours,
): Promise<MigrationState[]> {
  const session = await openSession(database)
  try {
    await session.run(createLedger)
    const known = await session.rows(readLedger)
    pendingOf(session.engine, known, migrations)
    return migrations.map(({ id, name }) => {
      const entry = known.find((row) => row.id === id)
      return { id, name, state: entry ? 'applied' : 'pending', applied_at: entry?.applied_at ?? null }
    })
  } finally {
    await session.close()
  }
}

/** For a start without migrations: refuses a schema that is not the one this program was written for. */
export async function requireOurSchema(database: Database): Promise<void> {
  const pending = (await migrationStates(database)).filter(({ state }) => state === 'pending')
  if (pending.length === 0) return
  throw new StoreRefusesToStart(
    `The database is ${pending.length} ${pending.length === 1 ? 'migration' : 'migrations'} behind this program: run 'postern migrate up' first, or start without --no-migrate.`,
  )
}

const createLedger = `create table if not exists schema_migrations (
  id bigint primary key, name text not null, checksum text not null, applied_at bigint not null)`
const readLedger = 'select id, checksum, applied_at from schema_migrations order by id'

function pendingOf(engine: Engine, known: Applied[], migrations: readonly Migration[]): Migration[] {
  const newest = migrations.at(-1)?.id ?? 0
  const newer = known.find((entry) => entry.id > newest)
  if (newer) {
    throw new StoreRefusesToStart(
      `The database has schema version ${newer.id}, this program knows up to ${newest}. Start the newer version of Postern again, or restore a backup.`,
    )
  }
  for (const { id, checksum } of known) {
    const migration = migrations.find((candidate) => candidate.id === id)
    if (migration && checksumOf(engine, migration) !== checksum) {
      throw new StoreRefusesToStart(
        `Migration ${id} (${migration.name}) in the database is not the one this program has.`,
      )
    }
  }
  return migrations.filter((migration) => !known.some((entry) => entry.id === migration.id))
}

function statementsOf(engine: Engine, migration: Migration): string[] {
  const own = engine === 'sqlite' ? migration.sqlite : migration.postgres
  return [...migration.statements, ...(own ?? [])].map((statement) => translate(engine, statement))
}

function checksumOf(engine: Engine, migration: Migration): string {
  return createHash('sha256').update(statementsOf(engine, migration).join(';\n')).digest('hex')
}

function openSession(database: Database): Promise<Session> {
  return database.kind === 'sqlite' ? openSqliteSession(database.path) : openPostgresSession(database.url)
}

async function openSqliteSession(path: string): Promise<Session> {
  const db = openSqlite(path, 'write')
  return {
    engine: 'sqlite',
    async run(sql, values = []) {
      db.prepare(sql).run(...values)
    },
    async rows(sql) {
      return db.prepare(sql).all() as unknown as Applied[]
    },
    async locked(work) {
      db.exec('begin immediate')
      try {
        await work()
        db.exec('commit')
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    async close() {
      db.close()
    },
  }
}

// Any fixed number: it only has to be the same in every process.
const advisoryLock = 7_064_611

async function openPostgresSession(url: string): Promise<Session> {
  const primary = findPrimary(url)
  const client = await primary
    .reach(() => connectForMigration(primary))
    .catch((error: unknown) => {
      throw error instanceof StoreRefusesToStart ? error : unreachable(error)
    })
  return {
    engine: 'postgres',
    async run(sql, values = []) {
      await client.query(sql, values)
    },
    async rows(sql) {
      return (await client.query(sql)).rows
    },
    async locked(work) {
      await client.query('begin')
      try {
        await client.query('select pg_advisory_xact_lock($1)', [advisoryLock])
        await work()
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    },
    close: () => client.end(),
  }
}

async function connectForMigration({ Client }: Primary): Promise<pg.Client> {
  const client = new Client({ ...connection(), query_timeout: 0 })
  try {
    await client.connect()
    // An index of a large table takes minutes, and so may the wait for another node that makes it.
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await refusePooler(client)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/**
 * A connection pooler hands statements of one connection to several of the server: prepared statements, settings and
 * LISTEN are lost. It shows by the process that it says is ours, or by refusing the settings that we connect with.
 */
async function refusePooler(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  if (rows[0]?.pid !== (client as unknown as { processID: number }).processID) throw poolerRefused()
}

function poolerRefused(): StoreRefusesToStart {
  return new StoreRefusesToStart(
    'POSTERN_DATABASE_URL leads to a connection pooler such as PgBouncer. Postern keeps connections of its own open and needs their state: give the address of PostgreSQL itself.',
  )
}

function unreachable(error: unknown): StoreRefusesToStart {
  if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return poolerRefused()
  return new StoreRefusesToStart(
    `The database is not reachable: ${error instanceof Error ? reasonOf(error) : String(error)}`,
    { cause: error },
  )
}

/** Node reports a refused connection to several addresses as one error without a message. */
function reasonOf(error: Error & { code?: string }): string {
  return error.message || (error.code ?? 'no answer')
}
