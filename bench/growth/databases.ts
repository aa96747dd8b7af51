import pg from 'pg'
import { makeDayOf } from '../../server/src/store/postgres/postgres-days.ts'
import { isWithoutDay } from '../../server/src/store/postgres/postgres-failure.ts'
import { openSqlite } from '../../server/src/store/sqlite/sqlite-connection.ts'
import { type Cell, type TableRows, withoutSequences } from './clone-rows.ts'

/** The database under a gateway, seen past it: which rows are there, what they take, and more of them. */
export type RawDatabase = {
  counts(): Promise<Map<string, number>>
  read(table: string): Promise<TableRows>
  insert(rows: TableRows): Promise<void>
  /** After an insert: the planner knows the new sizes, and the log is empty. */
  settle(): Promise<void>
  bytesByTable(): Promise<Map<string, number>>
  /** Bytes of log written so far, where the engine tells. */
  logBytes(): Promise<number | null>
  /** Updates so far, and those that stayed on their page. */
  updates(): Promise<{ all: number; hot: number } | null>
  close(): Promise<void>
}

const batch = 1_000

export function rawSqlite(path: string): RawDatabase {
  const db = openSqlite(path, 'write')
  db.exec('pragma synchronous = normal')
  const tables = () =>
    (
      db.prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`).all() as {
        name: string
      }[]
    ).map(({ name }) => name)
  return {
    async counts() {
      return new Map(tables().map((name) => [name, Number(db.prepare(`select count(*) as n from ${name}`).get()?.n)]))
    },
    async read(table) {
      const rows = db.prepare(`select * from ${table}`).all() as Record<string, Cell>[]
      const columns = Object.keys(rows[0] ?? {})
      return { table, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }
    },
    async insert(all) {
      const { table, columns, rows } = withoutSequences(all)
      const places = columns.map(() => '?').join(', ')
      const statement = db.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`)
      for (let first = 0; first < rows.length; first += batch) {
        db.exec('begin immediate')
        for (const row of rows.slice(first, first + batch)) statement.run(...row)
        db.exec('commit')
      }
    },
    async settle() {
      db.exec('pragma wal_checkpoint(truncate); analyze')
    },
    async bytesByTable() {
      const rows = db
        .prepare(
          `select s.tbl_name as name, sum(d.pgsize) as bytes from dbstat d join sqlite_schema s on s.name = d.name
           where d.aggregate = true group by s.tbl_name`,
        )
        .all() as { name: string; bytes: number }[]
      return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
    },
    logBytes: async () => null,
    updates: async () => null,
    async close() {
      db.close()
    },
  }
}

const roots = `select c.oid, c.relname as name, c.oid as root from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  union all
  select i.inhrelid, r.relname, r.oid from pg_inherits i join pg_class r on r.oid = i.inhparent
  where r.relnamespace = 'public'::regnamespace and r.relkind = 'p'`

export async function rawPostgres(url: string): Promise<RawDatabase> {
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  const one = async (sql: string) => (await db.query(sql)).rows[0] as Record<string, unknown>
  return {
    async counts() {
      const { rows } = await db.query(`select name from (${roots}) t where oid = root`)
      const counts = new Map<string, number>()
      for (const { name } of rows) counts.set(name, Number((await one(`select count(*) as n from ${name}`)).n))
      return counts
    },
    async read(table) {
      const { rows, fields } = await db.query({ text: `select * from ${table}`, rowMode: 'array', types: pgTypes })
      return { table, columns: fields.map(({ name }) => name), rows }
    },
    async insert(all) {
      const { table, columns, rows } = withoutSequences(all)
      const types = await db.query(
        `select attname, format_type(atttypid, atttypmod) as type from pg_attribute where attrelid = $1::regclass and attnum > 0`,
        [table],
      )
      const typeOf = new Map(types.rows.map(({ attname, type }) => [attname, type.replace(/\(.*\)/, '')]))
      const unnested = columns.map((column, index) => `unnest($${index + 1}::${typeOf.get(column)}[])`).join(', ')
      const text = `insert into ${table} (${columns.join(', ')}) select ${unnested}`
      for (let first = 0; first < rows.length; first += batch) {
        const part = rows.slice(first, first + batch)
        const values = columns.map((_, index) => part.map((row) => row[index]))
        await intoItsDay(url, () => db.query(text, values))
      }
    },
    async settle() {
      await db.query('analyze')
      await db.query('checkpoint')
    },
    async bytesByTable() {
      const { rows } = await db.query(
        `select name, sum(pg_total_relation_size(oid)) as bytes from (${roots}) t group by name`,
      )
      return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
    },
    async logBytes() {
      return Number((await one(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`)).bytes)
    },
    async updates() {
      const row = await one('select sum(n_tup_upd) as all, sum(n_tup_hot_upd) as hot from pg_stat_user_tables')
      return { all: Number(row.all), hot: Number(row.hot) }
    },
    close: () => db.end(),
  }
}

/** Copies are older than what they are copies of, and their day may have no partition yet. */
async function intoItsDay(url: string, insert: () => Promise<unknown>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    if (!(error instanceof Error) || !isWithoutDay(error)) throw error
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    try {
      await makeDayOf(() => pool.connect(), error)
    } finally {
      await pool.end()
    }
    await intoItsDay(url, insert)
  }
}

const bigint = 20
const pgTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigint ? Number : pg.types.getTypeParser(oid, format as 'text'),
}

/** State of the moment, one row for each customer or until it is folded, is no part of what a message leaves. */
const passing = ['pacing', 'analytics_steps']

/** What so many messages left since the rows were counted, of the tables that grew with each of them. */
export async function rowsSince(
  database: RawDatabase,
  before: ReadonlyMap<string, number>,
  messages: number,
): Promise<TableRows[]> {
  const real: TableRows[] = []
  for (const [name, count] of await database.counts()) {
    const added = count - (before.get(name) ?? 0)
    if (added >= messages * 0.9 && !passing.includes(name)) real.push(lastOf(await database.read(name), added))
  }
  return real
}

/** Ids begin with their time; rows with other keys are in the order in which they were stored. */
function lastOf(all: TableRows, count: number): TableRows {
  const id = all.columns.indexOf('id')
  const rows = id < 0 ? all.rows : all.rows.toSorted((a, b) => (timeIn(a[id]) < timeIn(b[id]) ? -1 : 1))
  return { ...all, rows: rows.slice(-count) }
}

/** Without its prefix: messages that come in and go out share a table. */
function timeIn(id: Cell | undefined): string {
  return String(id).replace(/^[a-z]+_/, '')
}
