import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { openPostgresStore } from '../postgres/postgres.ts'
import { openSqliteStore } from '../sqlite/sqlite.ts'
import { type Database, migrate, requireOurSchema } from './migrate.ts'
import type { Store } from './store.ts'

export type OpenStoreOptions = {
  database: Database
  now: number
  /** Off with `--no-migrate`: then somebody else has run `postern migrate up`. */
  migrateFirst?: boolean
  writeConnections?: number
  readConnections?: number
}

/** The database of the settings, brought to the schema this program knows. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { database, now, migrateFirst = true } = options
  if (database.kind === 'sqlite') await mkdir(dirname(database.path), { recursive: true })
  if (migrateFirst) await migrate(database, { now })
  else await requireOurSchema(database)
  if (database.kind === 'sqlite') return openSqliteStore(database.path)
  const { writeConnections, readConnections } = options
  return openPostgresStore({
    url: database.url,
    ...(writeConnections === undefined ? {} : { writeConnections }),
    ...(readConnections === undefined ? {} : { readConnections }),
  })
}
