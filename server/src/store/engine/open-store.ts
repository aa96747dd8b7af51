import { openPostgresStore } from '../postgres/postgres.ts'
import { openSqliteStore } from '../sqlite/sqlite.ts'
import type { Database } from './database.ts'
import { migrate, requireOurSchema } from './migrate.ts'
import type { Store } from './store.ts'

export type OpenStoreOptions = {
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
  if (migrateFirst) await migrate(database, { now })
  else await requireOurSchema(database)
  switch (database.kind) {
    case 'sqlite':
      return openSqliteStore(database.path)
    case 'postgres':
      return openPostgresStore({ url: database.url, ...connections })
  }
}
