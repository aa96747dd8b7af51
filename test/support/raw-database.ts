import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import type { Database } from './postgres/databases.ts'

export type RawRow = Record<string, unknown>

/** A database as it is, without the store: for schemas that are not today's. */
export type RawDatabase = {
  tables(): Promise<string[]>
  rows(table: string): Promise<RawRow[]>
  insert(table: string, row: RawRow): Promise<void>
  /** As many rows as wanted in one statement: what each column holds is said in SQL that both engines know, over `i` from 1. */
  fill(table: string, count: number, columns: Readonly<Record<string, string>>): Promise<void>
  /** Any statement; the rows it gives. */
  run(sql: string, values?: readonly unknown[]): Promise<RawRow[]>
  close(): Promise<void>
}

export async function openRaw(database: Database): Promise<RawDatabase> {
  return database.kind === 'sqlite' ? openSqlite(database.path) : openPostgres(database.url)
}

function openSqlite(path: string): RawDatabase {
  const db = new DatabaseSync(path, { timeout: 5_000 })
  const all = (sql: string) => db.prepare(sql).all() as RawRow[]
  return {
    tables: async () =>
      all("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").map(({ name }) =>
        String(name),
      ),
    rows: async (table) => all(`select * from "${table}"`),
    async insert(table, row) {
      const names = Object.keys(row)
      const sql = `insert into "${table}" (${names.map((name) => `"${name}"`)}) values (${names.map(() => '?')})`
      db.prepare(sql).run(...(Object.values(row) as SQLInputValue[]))
    },
    async fill(table, count, columns) {
      const series = `with recursive s(i) as (select 1 union all select i + 1 from s where i < ${count})`
      db.exec(`insert into "${table}" (${Object.keys(columns)}) ${series} select ${Object.values(columns)} from s`)
    },
    run: async (sql, values = []) => db.prepare(sql).all(...(values as SQLInputValue[])) as RawRow[],
    close: async () => db.close(),
  }
}

async function openPostgres(url: string): Promise<RawDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    tables: async () =>
      (await client.query(`select tablename from pg_tables where schemaname = 'public'`)).rows.map(
        (row) => row.tablename,
      ),
    rows: async (table) => (await client.query(`select * from "${table}"`)).rows,
    async insert(table, row) {
      const names = Object.keys(row)
      const places = names.map((_, index) => `$${index + 1}`)
      await client.query(
        `insert into "${table}" (${names.map((name) => `"${name}"`)}) values (${places})`,
        Object.values(row),
      )
    },
    async fill(table, count, columns) {
      const series = `generate_series(1, ${count}) as s(i)`
      await client.query(
        `insert into "${table}" (${Object.keys(columns)}) select ${Object.values(columns)} from ${series}`,
      )
    },
    run: async (sql, values = []) => (await client.query(sql, [...values])).rows,
    close: () => client.end(),
  }
}
