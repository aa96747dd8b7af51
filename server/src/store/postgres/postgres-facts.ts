import type { EngineFacts, PostgresDatabase } from '../engine/database.ts'
import { databaseServers } from './postgres-primary.ts'

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

/**
 * Sorts a megabyte with the least memory a server can have, so that it writes a temporary file beside the tables: a full disk
 * still accepts changes of rows for which a page has room, and a table keeps the pages that were ever added to it. Needs no
 * lock that a backup holds, and leaves nothing behind.
 */
export const roomText = `do $$
  begin
    perform set_config('work_mem', '64kB', true);
    perform count(padded) from (
      select repeat('x', 1000) || number as padded from generate_series(1, 1000) as number order by number desc offset 0
    ) as sorted;
  end $$`
