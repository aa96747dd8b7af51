import type { Database, EngineFacts } from './engine/database.ts'
import type { Store } from './engine/store.ts'
import { migrate, requireOurSchema } from './migrate.ts'
import { refuseMoved } from './moved.ts'
import { openPostgresStore } from './postgres/postgres.ts'
import {
  type ConnectionLimit,
  type ConnectionPools,
  readPostgresConnectionLimit,
} from './postgres/postgres-connection-limit.ts'
import { postgresFacts } from './postgres/postgres-facts.ts'
import { openSqliteStore } from './sqlite/sqlite.ts'
import { sqliteFacts } from './sqlite/sqlite-facts.ts'

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
