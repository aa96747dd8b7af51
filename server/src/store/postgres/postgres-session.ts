import pg from 'pg'
import { StoreRefusesToStart } from '../engine/store-error.ts'
import type { Session } from '../schema/table-statements.ts'
import { connection } from './postgres-connection.ts'
import { findPrimary, type Primary } from './postgres-primary.ts'

// Any fixed number: it only has to be the same in every process.
const advisoryLock = 7_064_611

/** The oldest version that has what Postern uses, such as `client_connection_check_interval`. */
const oldestVersion = 14

export async function openPostgresSession(url: string): Promise<Session> {
  const primary = findPrimary(url)
  const client = await reachToStart(primary, () => connectForMigration(primary))
  const explain = await explainDenied(client)
  return {
    engine: 'postgres',
    async run(sql, values = []) {
      await client.query(sql, values).catch(explain)
    },
    async rows(sql) {
      return (await client.query(sql).catch(explain)).rows
    },
    async locked(work) {
      await client.query('begin')
      try {
        await client.query('select pg_advisory_xact_lock($1)', [advisoryLock])
        await work()
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    },
    close: () => client.end(),
  }
}

/** With the sentence for an operator where there is no connection. */
export function reachToStart<Connection>(primary: Primary, connect: () => Promise<Connection>): Promise<Connection> {
  return primary.reach(connect).catch((error: unknown) => {
    throw error instanceof StoreRefusesToStart ? error : unreachable(error)
  })
}

async function connectForMigration({ Client }: Primary): Promise<pg.Client> {
  const client = new Client({ ...connection(), query_timeout: 0 })
  try {
    await client.connect()
    // An index of a large table takes minutes, and so may the wait for another node that makes it.
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await refuseOldVersion(client)
    await refuseOtherEncoding(client)
    await refusePooler(client)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/**
 * A connection pooler hands statements of one connection to several of the server: prepared statements, settings and
 * LISTEN are lost. It shows by the process that it says is ours, or by refusing the settings that we connect with.
 */
async function refusePooler(client: pg.Client): Promise<void> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  if (rows[0]?.pid !== (client as unknown as { processID: number }).processID) throw poolerRefused()
}

/** Without this, an old server fails later, at the first statement it does not know. */
async function refuseOldVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query('show server_version')
  const version = String(rows[0]?.server_version)
  // A package may add its own name: 13.18 (Debian 13.18-1).
  if (Number.parseInt(version, 10) >= oldestVersion) return
  throw new StoreRefusesToStart(
    `POSTERN_DATABASE_URL leads to PostgreSQL ${version.split(' ')[0]}. Postern needs PostgreSQL ${oldestVersion} or later: upgrade the server, or give the address of a newer one.`,
  )
}

/** In LATIN1 the first emoji of a customer fails; SQL_ASCII, the choice of a server set up without a language, knows no characters. */
async function refuseOtherEncoding(client: pg.Client): Promise<void> {
  const { rows } = await client.query('show server_encoding')
  const encoding = String(rows[0]?.server_encoding)
  if (encoding === 'UTF8') return
  throw new StoreRefusesToStart(
    `POSTERN_DATABASE_URL leads to a database in ${encoding}, and Postern needs one in UTF8. Make another, and move what this one has with pg_dump and pg_restore: create database postern_utf8 template template0 encoding 'UTF8' locale 'C'.`,
  )
}

const insufficientPrivilege = '42501'

/**
 * From PostgreSQL 15 on, only the owner of a database may create tables in its schema `public`; and after a restore another
 * role may own the tables.
 */
async function explainDenied(client: pg.Client): Promise<(error: Error) => never> {
  const { rows } = await client.query(
    `select current_user as role, current_schema() as schema, has_schema_privilege(current_schema(), 'create') as may`,
  )
  const { role, schema, may } = rows[0] as { role: string; schema: string | null; may: boolean | null }
  const [to, where] = [role, schema ?? 'public'].map(pg.escapeIdentifier)
  const sentence = may
    ? `The role ${role} must own the tables of Postern. Give it each of them with: alter table … owner to ${to}; or restore them as this role with pg_restore --no-owner.`
    : `The role ${role} may not create tables in this database. Let a superuser connect to it and run: grant usage, create on schema ${where} to ${to};`
  return (error) => {
    if ((error as pg.DatabaseError).code !== insufficientPrivilege) throw error
    throw new StoreRefusesToStart(sentence, { cause: error })
  }
}

function poolerRefused(): StoreRefusesToStart {
  return new StoreRefusesToStart(
    'POSTERN_DATABASE_URL leads to a connection pooler such as PgBouncer. Postern keeps connections of its own open and needs their state: give the address of PostgreSQL itself.',
  )
}

const noConnectionsLeft = '53300'

function unreachable(error: unknown): StoreRefusesToStart {
  if (error instanceof Error && /unsupported startup parameter/.test(error.message)) return poolerRefused()
  if (error instanceof Error && 'code' in error && error.code === noConnectionsLeft) {
    return new StoreRefusesToStart(
      `PostgreSQL has no connection left (${error.message}): raise max_connections, or lower POSTERN_DATABASE_POOL_READ of all processes.`,
      { cause: error },
    )
  }
  return new StoreRefusesToStart(
    `The database is not reachable: ${error instanceof Error ? reasonOf(error) : String(error)}`,
    { cause: error },
  )
}

/** Node reports a refused connection to several addresses as one error without a message. */
function reasonOf(error: Error & { code?: string }): string {
  return error.message || (error.code ?? 'no answer')
}
