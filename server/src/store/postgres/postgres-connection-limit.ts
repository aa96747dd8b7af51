import { furtherConnections } from './postgres.ts'
import { connection, connectionNames } from './postgres-connection.ts'
import { findPrimary } from './postgres-primary.ts'
import { reachToStart } from './postgres-session.ts'

export type ConnectionPools = { readConnections: number; writeConnections: number }

export type ConnectionLimit = {
  /** Maximum connections of one process. */
  readonly perProcess: number
  /** Connections that the server leaves to this role and database, beside those that others have open now. */
  readonly left: number
  /** Gateway processes that are connected to the database now. */
  readonly processes: number
}

type Counts = Record<'of_server' | 'of_others' | 'of_role' | 'of_database' | 'processes', number>

/** -1 is no limit, and a superuser has none. */
const read = `select
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0) as of_server,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend'
      and (datname <> current_database() or usename <> current_user)) as of_others,
    (select case when rolsuper then -1 else rolconnlimit end from pg_roles where rolname = current_user) as of_role,
    (select case when rolsuper then -1 else datconnlimit end from pg_roles, pg_database
      where rolname = current_user and datname = current_database()) as of_database,
    (select count(*)::int from pg_stat_activity
      where datname = current_database() and application_name = '${connectionNames.signals}') as processes`

export async function readPostgresConnectionLimit(
  url: string,
  { readConnections, writeConnections }: ConnectionPools,
): Promise<ConnectionLimit> {
  const primary = findPrimary(url)
  const client = await reachToStart(primary, () => new primary.Client(connection()).connect())
  try {
    const { rows } = await client.query<Partial<Counts>>(read)
    const { of_server = 0, of_others = 0, of_role = -1, of_database = -1, processes = 0 } = rows[0] ?? {}
    const limits = [Math.max(0, of_server - of_others), of_role, of_database]
    const perProcess = readConnections + writeConnections + furtherConnections
    return { perProcess, left: Math.min(...limits.filter((limit) => limit >= 0)), processes }
  } finally {
    await client.end()
  }
}
