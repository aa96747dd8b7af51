import type { EngineFacts, PostgresDatabase } from '../engine/database.ts'
import { databaseServers } from './database-servers.ts'

export function postgresFacts({ url }: PostgresDatabase): EngineFacts {
  return {
    title: 'PostgreSQL',
    traceName: 'postgresql',
    shared: true,
    ownTools: {
      backup:
        'The data is in PostgreSQL, media included. Use its own tool for a consistent copy: pg_dump --format=custom --file=postern.dump "$POSTERN_DATABASE_URL". Store the master key separately.',
      restore:
        'The data is in PostgreSQL. Restore the dump with pg_restore --clean --if-exists --dbname="$POSTERN_DATABASE_URL" postern.dump, while no gateway runs, and run "postern feed reset" before you start one.',
    },
    hasData: () => true,
    serverUrls: () => databaseServers(url),
  }
}
