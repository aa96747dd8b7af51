import type { EngineFacts, PostgresDatabase } from '../engine/database.ts'
import { databaseServers } from './database-servers.ts'

export function postgresFacts({ url }: PostgresDatabase): EngineFacts {
  return {
    title: 'PostgreSQL',
    traceName: 'postgresql',
    shared: true,
    ownTools: {
      backup:
        'The data are in PostgreSQL, media included. Its own tool makes a copy as of one moment: pg_dump --format=custom --file=postern.dump "$POSTERN_DATABASE_URL". Keep the master key apart from it.',
      restore:
        'The data are in PostgreSQL. Bring back what pg_dump wrote with pg_restore --clean --if-exists --dbname="$POSTERN_DATABASE_URL" postern.dump, while no gateway runs, and run "postern feed reset" before you start one.',
    },
    hasData: () => true,
    serverUrls: () => databaseServers(url),
  }
}
