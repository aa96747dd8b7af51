import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { Database, EngineFacts } from './engine/database.ts'
import type { Store } from './engine/store.ts'
import { StoreRefusesToStart } from './engine/store-error.ts'
import { migrate, requireOurSchema } from './migrate.ts'
import { openPostgresStore } from './postgres/postgres.ts'
import {
  type ConnectionLimit,
  type ConnectionPools,
  readPostgresConnectionLimit,
} from './postgres/postgres-connection-limit.ts'
import { postgresFacts } from './postgres/postgres-facts.ts'
import { openSqliteStore } from './sqlite/sqlite.ts'
import { sqliteFacts } from './sqlite/sqlite-connection.ts'

type OpenStoreOptions = {
  database: Database
  now: number
  /** Off with `--no-migrate`: the operator runs `postern migrate up`. */
  migrateFirst?: boolean
  writeConnections?: number
  readConnections?: number
}

/** The database of the settings, brought to the schema this program knows. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { database, now, migrateFirst = true, ...connections } = options
  refuseMoved(database)
  if (migrateFirst) await migrate(database, { now })
  else await requireOurSchema(database)
  switch (database.kind) {
    case 'sqlite':
      return openSqliteStore(database.path)
    case 'postgres':
      return openPostgresStore({ url: database.url, ...connections })
  }
}

/** Asked here and nowhere else which engine it is; no driver is loaded for it. */
export function factsOf(database: Database): EngineFacts {
  switch (database.kind) {
    case 'sqlite':
      return sqliteFacts(database)
    case 'postgres':
      return postgresFacts(database)
  }
}

/** Null where the data are a file, to which nobody connects. */
export async function readConnectionLimit(database: Database, pools: ConnectionPools): Promise<ConnectionLimit | null> {
  switch (database.kind) {
    case 'sqlite':
      return null
    case 'postgres':
      return readPostgresConnectionLimit(database.url, pools)
  }
}

/** Beside a database file whose data were copied to another database and are used there. */
function noteOf(database: Database): string | null {
  return database.kind === 'sqlite' ? `${database.path}.moved` : null
}

/** From now on the data of `source` are used in `target`: what is sent from both would be sent twice. */
export function noteMoved(source: Database, target: Database): void {
  const [old, current] = [noteOf(source), noteOf(target)]
  if (current) rmSync(current, { force: true })
  if (old)
    writeFileSync(old, 'These data were copied to PostgreSQL. Delete this file to use them here again.\n', {
      mode: 0o600,
    })
}

export function refuseMoved(database: Database): void {
  const note = noteOf(database)
  if (!note || !existsSync(note)) return
  throw new StoreRefusesToStart(
    `These data were moved to PostgreSQL by 'postern copy': set POSTERN_DATABASE_URL or POSTERN_DATABASE_URL_FILE, for the gateway and for every command. To use the old data again, delete ${note}.`,
  )
}
