import { randomBytes } from 'node:crypto'
import pg from 'pg'

export type TestDatabase = { name: string; url: string; drop(): Promise<void> }

/** Creates an empty database beside the administration database of `adminUrl`. Its name starts with `postern_test`. */
export function createDatabase(adminUrl: string, name: string = randomName()): Promise<TestDatabase> {
  return create(adminUrl, `${prefixOf(adminUrl)}_${name}`, '')
}

/** Creates a copy of `template`, to which nobody may be connected. */
export function cloneDatabase(adminUrl: string, template: TestDatabase, name = randomName()): Promise<TestDatabase> {
  const options = `template ${pg.escapeIdentifier(template.name)} strategy file_copy`
  return create(adminUrl, `${prefixOf(adminUrl)}_${name}`, options)
}

/** The same of a database that is in use: its connections are closed, and nobody gets another before the copy is made. */
export async function copyUsedDatabase(adminUrl: string, used: TestDatabase): Promise<TestDatabase> {
  const admin = adminPool(adminUrl)
  const allow = (may: boolean) =>
    admin.query(`alter database ${pg.escapeIdentifier(used.name)} with allow_connections ${may}`)
  await allow(false)
  try {
    await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [used.name])
    return await cloneDatabase(adminUrl, used)
  } finally {
    await allow(true)
  }
}

/**
 * Returns the database called `name`, made and filled by `prepare` on the first call of the run, whichever process
 * calls first; the others wait for it. Meant for the migrated template that test files clone.
 */
export function templateDatabase(
  adminUrl: string,
  name: string,
  prepare: (url: string) => Promise<void>,
): Promise<TestDatabase> {
  const fullName = `${prefixOf(adminUrl)}_${name}`
  return withClient(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [fullName])
    const found = await client.query('select 1 from pg_database where datname = $1', [fullName])
    if (found.rowCount === 1) return describe(adminUrl, fullName)
    const database = await createDatabase(adminUrl, name)
    try {
      await prepare(database.url)
    } catch (error) {
      await database.drop()
      throw error
    }
    return database
  })
}

/**
 * Makes the database of one run in a server that is already there, so that everything of the run can be dropped by
 * name.
 */
export function createRunDatabase(serverUrl: string): Promise<TestDatabase> {
  return create(serverUrl, `postern_test_${randomName()}`, '')
}

/** Drops the run's database and every database created beside it, and nothing else. */
export async function dropRunDatabases(serverUrl: string, run: TestDatabase): Promise<void> {
  await withClient(serverUrl, async (client) => {
    const mine = 'select datname from pg_database where datname = $1 or starts_with(datname, $2)'
    const { rows } = await client.query<{ datname: string }>(mine, [run.name, `${run.name}_`])
    for (const { datname } of rows) await client.query(dropStatement(datname))
  })
}

async function create(adminUrl: string, name: string, options: string): Promise<TestDatabase> {
  await adminPool(adminUrl).query(`create database ${pg.escapeIdentifier(name)} ${options}`)
  return describe(adminUrl, name)
}

const adminPools = new Map<string, pg.Pool>()

/**
 * The connection that makes and drops the databases of this process. A new one takes 5 ms of PostgreSQL and 2 ms of this
 * process, and a run makes and drops hundreds. It does not keep the process from ending.
 */
function adminPool(adminUrl: string): pg.Pool {
  const known = adminPools.get(adminUrl)
  if (known) return known
  const pool = new pg.Pool({ connectionString: adminUrl, max: 1, idleTimeoutMillis: 60_000, allowExitOnIdle: true })
  // The server may end first: the next statement opens another connection, or says what is wrong.
  pool.on('error', () => {})
  adminPools.set(adminUrl, pool)
  return pool
}

function describe(adminUrl: string, name: string): TestDatabase {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const drop = async () => void (await adminPool(adminUrl).query(dropStatement(name)))
  return { name, url: url.href, drop }
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

function prefixOf(adminUrl: string): string {
  const name = new URL(adminUrl).pathname.slice(1)
  return name.startsWith('postern_test_') ? name : 'postern_test'
}

function dropStatement(name: string): string {
  return `drop database if exists ${pg.escapeIdentifier(name)} with (force)`
}

function randomName(): string {
  return randomBytes(6).toString('hex')
}
