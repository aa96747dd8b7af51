import { createRequire } from 'node:module'
import type { Dialect, Kysely } from 'kysely'
import type { Engine } from './dialect.ts'

/**
 * Kysely as a compiler only: it turns a list with many optional filters into text and parameters, and the store runs
 * them. It gets no driver, because its SQLite driver over `node:sqlite` loses results.
 */
export function listCompiler<Tables>(engine: Engine): Kysely<Tables> {
  const { Kysely, DummyDriver, ...library } = kysely()
  const dialects: Record<Engine, Omit<Dialect, 'createDriver'>> = {
    sqlite: {
      createAdapter: () => new library.SqliteAdapter(),
      createIntrospector: (db) => new library.SqliteIntrospector(db),
      createQueryCompiler: () => new library.SqliteQueryCompiler(),
    },
    postgres: {
      createAdapter: () => new library.PostgresAdapter(),
      createIntrospector: (db) => new library.PostgresIntrospector(db),
      createQueryCompiler: () => new library.PostgresQueryCompiler(),
    },
  }
  return new Kysely<Tables>({ dialect: { ...dialects[engine], createDriver: () => new DummyDriver() } })
}

/** Loaded by the first list: its 255 files would take 150 ms and 20 MB of every start. */
export function kysely(): typeof import('kysely') {
  loaded ??= createRequire(import.meta.url)('kysely') as typeof import('kysely')
  return loaded
}

let loaded: typeof import('kysely') | undefined
