import { timeOfId } from '../../lib/ids.ts'
import type { CopyEnd, CopyRow, CopyTable } from '../engine/copy-end.ts'
import { type DayTable, dayOf, dayTables, isDayTable } from '../engine/day-tables.ts'
import { connection } from './postgres-connection.ts'
import { makingOf } from './postgres-days.ts'
import { findPrimary } from './postgres-primary.ts'

const arrayTypes: Readonly<Record<string, string>> = {
  text: 'text[]',
  bigint: 'bigint[]',
  integer: 'bigint[]',
  'double precision': 'double precision[]',
  bytea: 'bytea[]',
}

export async function openPostgresCopyEnd(url: string): Promise<CopyEnd> {
  const primary = findPrimary(url)
  const client = await primary.reach(() => new primary.Client(connection()).connect())
  const run = async (sql: string, values: CopyRow = []): Promise<CopyRow[]> => {
    const text = sql.replaceAll(/\?(\d)/g, '$$$1')
    return (await client.query({ text, values: [...values], rowMode: 'array' })).rows as CopyRow[]
  }
  const daysMade = new Set<string>()
  return {
    engine: 'postgres',
    rows: run,
    async inOne(work) {
      await client.query('begin')
      try {
        await work()
        await client.query('commit')
      } catch (error) {
        await client.query('rollback').catch(() => {})
        throw error
      }
    },
    async insert(table, rows) {
      if (isDayTable(table.name)) await makeDays(table.name, table, rows)
      const names = table.columns.map(({ name }) => name).join(', ')
      const arrays = table.columns.map(({ type }, index) => `$${index + 1}::${arrayTypes[type]}`).join(', ')
      // Every column comes as one array: the number of rows doesn't change the statement.
      const values = table.columns.map((_, index) => rows.map((row) => row[index]))
      const text = `insert into ${table.name} (${names}) overriding system value select * from unnest(${arrays})`
      await client.query({ text, values })
    },
    async counter(table) {
      const sequence = await sequenceOf(table)
      const [row] = await run(`select case when is_called then last_value else 0 end from ${sequence}`)
      return Number(row?.[0] ?? 0)
    },
    async setCounter(table, last) {
      await run('select setval(?1, ?2, true)', [await sequenceOf(table), last])
    },
    async tidy() {
      await client.query('set statement_timeout = 0')
      // Until the statistics are there, PostgreSQL plans for empty tables.
      await client.query({ text: 'analyze', query_timeout: 0 } as { text: string })
    },
    close: () => client.end(),
  }

  async function sequenceOf({ name, counter }: CopyTable): Promise<string> {
    const [row] = await run('select pg_get_serial_sequence(?1, ?2)', [name, counter])
    return String(row?.[0])
  }

  async function makeDays(name: DayTable, { columns }: CopyTable, rows: readonly CopyRow[]): Promise<void> {
    const at = columns.findIndex((column) => column.name === dayTables[name].column)
    for (const row of rows) {
      const day = dayOf(timeOfId(String(row[at])))
      if (daysMade.has(`${name} ${day}`)) continue
      await client.query(makingOf(name, day))
      daysMade.add(`${name} ${day}`)
    }
  }
}
