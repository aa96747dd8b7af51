import { postgresFacts } from '../postgres/postgres-facts.ts'
import { sqliteFacts } from '../sqlite/sqlite-facts.ts'
import type { Database, EngineFacts } from './database.ts'

/** Asked here and nowhere else which engine it is; no driver is loaded for it. */
export function factsOf(database: Database): EngineFacts {
  switch (database.kind) {
    case 'sqlite':
      return sqliteFacts(database)
    case 'postgres':
      return postgresFacts(database)
  }
}
