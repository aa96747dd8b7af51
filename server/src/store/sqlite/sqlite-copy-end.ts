import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { CopyEnd, CopyRow, CopyTable } from '../engine/copy-end.ts'
import { dayTables, isDayTable } from '../engine/day-tables.ts'
import { translate } from '../engine/dialect.ts'
import { migrations } from '../migrations/all.ts'
import { openSqlite } from './sqlite-connection.ts'

export async function openSqliteCopyEnd(path: string, mode: 'read' | 'write'): Promise<CopyEnd> {
  const db = openSqlite(path, mode)
  const all = (sql: string, values: CopyRow = []): CopyRow[] => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return statement.all(...(values as SQLInputValue[])) as unknown as CopyRow[]
  }
  return {
    engine: 'sqlite',
    rows: async (sql, values) => all(sql, values),
    async inOne(work) {
      db.exec('begin immediate')
      try {
        await work()
        db.exec('commit')
      } catch (error) {
        db.exec('rollback')
        throw error
      }
    },
    async insert({ name, columns }, rows) {
      const places = columns.map(() => '?').join(', ')
      const statement = db.prepare(`insert into ${name} (${columns.map((column) => column.name)}) values (${places})`)
      for (const row of rows) statement.run(...(row as SQLInputValue[]))
    },
    counter: async ({ name }) => Number(all('select seq from sqlite_sequence where name = ?1', [name])[0]?.[0] ?? 0),
    async setCounter({ name }, last) {
      all('delete from sqlite_sequence where name = ?1', [name])
      all('insert into sqlite_sequence (name, seq) values (?1, ?2)', [name, last])
    },
    tidy: async () => db.exec('analyze'),
    close: async () => db.close(),
  }
}

const schemaColumns = `select m.name, p.name, lower(p.type), p.pk from sqlite_schema m, pragma_table_info(m.name) p
  where m.type = 'table' and m.name not like 'sqlite_%' order by m.rowid, p.cid`

/** The tables of the schema that this program has, from a database in memory. */
export function schemaTables(): CopyTable[] {
  const db = new DatabaseSync(':memory:')
  try {
    for (const { statements, sqlite = [] } of migrations) {
      for (const statement of [...statements, ...sqlite]) db.exec(translate('sqlite', statement))
    }
    const statement = db.prepare(schemaColumns)
    statement.setReturnArrays(true)
    const found = statement.all() as unknown as [table: string, name: string, type: string, place: number][]
    return [...new Set(found.map(([table]) => table))].map((table) => {
      const own = found.filter(([name]) => name === table)
      const key = own.filter(([, , , place]) => place > 0).sort((a, b) => a[3] - b[3])
      // Elsewhere numbers are `bigint`: see {serial} in dialect.ts.
      const counter = key.find(([, , type]) => type === 'integer')?.[1] ?? null
      // Days know their rows by id: see {counter} there.
      const byId = counter !== null && isDayTable(table)
      return {
        name: table,
        columns: own.map(([, name, type]) => ({ name, type })),
        key: byId ? [dayTables[table].column] : key.map(([, name]) => name),
        counter,
      }
    })
  } finally {
    db.close()
  }
}
