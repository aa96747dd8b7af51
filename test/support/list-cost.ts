import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'
import type { Database } from './postgres/databases.ts'

export type Question = { sql: string; parameters: readonly unknown[] }
/** Entries of the walk that were looked at, and the indexes that the statement used. */
export type Cost = { read: number; indexes: string[] }

/** Counts what a list reads, in a connection of its own; not how long that takes. */
export type ListCost = { of(question: Question): Promise<Cost>; close(): Promise<void> }

export async function openListCost(database: Database): Promise<ListCost> {
  return database.kind === 'sqlite' ? onSqlite(database.path) : onPostgres(database.url)
}

/** SQLite doesn't say how many rows it reads: a function around the filters counts those they were tried on. */
function onSqlite(path: string): ListCost {
  const db = new DatabaseSync(path, { readOnly: true })
  let tried = 0
  db.function('tried', (value) => {
    tried++
    return value
  })
  return {
    async of({ sql, parameters }) {
      const values = parameters as SQLInputValue[]
      const plan = db.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
      const steps = plan.map(({ detail }) => detail)
      const scans = steps.filter((step) => /^SCAN r\b/.test(step))
      tried = 0
      db.prepare(withTried(sql)).all(...values)
      const indexes = steps.flatMap((step) => /USING (?:COVERING )?INDEX (\w+)/.exec(step)?.[1] ?? [])
      return { read: scans.length > 0 ? Number.POSITIVE_INFINITY : tried, indexes: [...new Set(indexes)] }
    },
    close: async () => db.close(),
  }
}

/** The filters of a walk are its column `fits`, in brackets. */
function withTried(sql: string): string {
  return sql.split(') as fits').reduce((before, after) => {
    let open = 1
    let start = before.length
    while (open > 0) open += { ')': 1, '(': -1 }[before.charAt(--start)] ?? 0
    return `${before.slice(0, start)}tried${before.slice(start)}) as fits${after}`
  })
}

type Node = {
  'Index Name'?: string
  'Relation Name'?: string
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Subplan Name'?: string
  Plans?: Node[]
}

async function onPostgres(url: string): Promise<ListCost> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('set plan_cache_mode = force_custom_plan')
  return {
    async of({ sql, parameters }) {
      const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...parameters])
      const [{ Plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN']
      const all = nodesOf(Plan)
      const read = Math.max(0, ...all.map(rowsReadBy))
      return { read, indexes: [...new Set(all.flatMap((node) => node['Index Name'] ?? []))] }
    },
    close: () => client.end(),
  }
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

/** Of a table that is stored by day, all days together. */
function rowsReadBy(node: Node): number {
  if (/Append$/.test(node['Node Type'])) return (node.Plans ?? []).reduce((sum, part) => sum + rowsReadBy(part), 0)
  if (!node['Relation Name']) return 0
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + removed) * node['Actual Loops']
}
