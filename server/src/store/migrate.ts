import { createHash } from 'node:crypto'
import type { Database } from './engine/database.ts'
import { compileQuery, type Engine, translate } from './engine/dialect.ts'
import { EmptyDatabase, StoreRefusesToStart } from './engine/store-error.ts'
import { migrations as ours } from './migrations/all.ts'
import { openPostgresSession } from './postgres/postgres-session.ts'
import type { Applied, Migration, Session } from './schema/table-statements.ts'
import { openSqliteSession } from './sqlite/sqlite-connection.ts'

type MigrationState = { id: number; name: string; state: 'applied' | 'pending'; applied_at: number | null }
type Options = {
  now: number
  migrations?: readonly Migration[]
  /** Called before each step: a large table may keep one busy for minutes. */
  onStep?(migration: Migration, at: number, of: number): void
}

/** Brings the schema up to date; safe when several processes start at once. Returns what was applied now. */
export async function migrate(database: Database, { now, migrations = ours, onStep }: Options): Promise<Migration[]> {
  const session = await openSession(database)
  const applied: Migration[] = []
  try {
    await session.locked(async () => {
      await session.run(createLedger)
      const known = await session.rows(readLedger)
      const pending = pendingOf(session.engine, known, migrations)
      for (const [at, migration] of pending.entries()) {
        onStep?.(migration, at, pending.length)
        for (const statement of statementsOf(session.engine, migration)) await session.run(statement)
        const checksum = checksumOf(session.engine, migration)
        const { text } = compileQuery(session.engine, addToLedger)
        await session.run(text, [migration.id, migration.name, checksum, now])
        applied.push(migration)
      }
    })
  } finally {
    await session.close()
  }
  return applied
}

/** Applied and pending migrations, without changing anything but the ledger table. */
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

/** Refuses a database that cannot be reached or used, without changing anything. */
export async function requireDatabase(database: Database): Promise<void> {
  const session = await openSession(database)
  await session.close()
}

/** For a start without migrations: refuses a schema that is not the one this program was written for. */
export async function requireOurSchema(database: Database): Promise<void> {
  const all = await migrationStates(database)
  const pending = all.filter(({ state }) => state === 'pending')
  if (pending.length === 0) return
  if (pending.length === all.length) {
    throw new EmptyDatabase(
      "There is nothing of Postern in this database: check its name and address. If it is meant to be new, run 'postern migrate up' first.",
    )
  }
  throw new StoreRefusesToStart(
    `The database schema is ${pending.length} ${pending.length === 1 ? 'version' : 'versions'} behind this program: run 'postern migrate up' first, or start without --no-migrate.`,
  )
}

const createLedger = `create table if not exists schema_migrations (
  id bigint primary key, name text not null, checksum text not null, applied_at bigint not null)`
const addToLedger = {
  sql: 'insert into schema_migrations (id, name, checksum, applied_at) values (:id, :name, :checksum, :applied_at)',
  params: { id: 'int', name: 'text', checksum: 'text', applied_at: 'int' },
  returns: {},
} as const
const readLedger = 'select id, checksum, applied_at from schema_migrations order by id'

function pendingOf(engine: Engine, known: Applied[], migrations: readonly Migration[]): Migration[] {
  const isOther = ({ id, checksum }: Applied) => {
    const migration = migrations.find((candidate) => candidate.id === id)
    return migration !== undefined && checksumOf(engine, migration) !== checksum
  }
  // Asked first: a database from before the baseline has higher numbers too, and no newer program knows them.
  if (known.some(isOther)) {
    throw new StoreRefusesToStart(
      'This database was created by a development version of Postern from before the first release, and its schema is not the one this program has. It cannot be upgraded: run the version that created it, or start with an empty database.',
    )
  }
  const newest = migrations.at(-1)?.id ?? 0
  const newer = known.find((entry) => entry.id > newest)
  if (newer) {
    throw new StoreRefusesToStart(
      `The database has schema version ${newer.id}, this program knows up to ${newest}. Start the newer version of Postern again, or restore a backup.`,
    )
  }
  return migrations.filter((migration) => !known.some((entry) => entry.id === migration.id))
}

function statementsOf(engine: Engine, migration: Migration): string[] {
  return [...migration.statements, ...(migration[engine] ?? [])].map((statement) => translate(engine, statement))
}

function checksumOf(engine: Engine, migration: Migration): string {
  return createHash('sha256').update(statementsOf(engine, migration).join(';\n')).digest('hex')
}

function openSession(database: Database): Promise<Session> {
  switch (database.kind) {
    case 'sqlite':
      return openSqliteSession(database.path)
    case 'postgres':
      return openPostgresSession(database.url)
  }
}
