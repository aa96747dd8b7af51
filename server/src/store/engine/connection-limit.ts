import {
  type ConnectionLimit,
  type ConnectionPools,
  readPostgresConnectionLimit,
} from '../postgres/postgres-connection-limit.ts'
import type { Database } from './database.ts'

/** Null where the data are a file, to which nobody connects. */
export async function readConnectionLimit(database: Database, pools: ConnectionPools): Promise<ConnectionLimit | null> {
  switch (database.kind) {
    case 'sqlite':
      return null
    case 'postgres':
      return readPostgresConnectionLimit(database.url, pools)
  }
}
