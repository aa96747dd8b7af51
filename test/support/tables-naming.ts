import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Database } from './postgres/databases.ts'

/** Names of the tables that hold a text anywhere, in any column of any row. */
export async function tablesNaming(database: Database, needle: string): Promise<string[]> {
  const holds = (row: Record<string, unknown>) => Object.values(row).some((value) => asText(value).includes(needle))
  if (database.kind === 'sqlite') {
    const db = new DatabaseSync(database.path, { readOnly: true })
    try {
      const tables = db.prepare(`select name from sqlite_master where type = 'table'`).all() as { name: string }[]
      const rowsOf = (table: string) => db.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]
      return tables.map((table) => table.name).filter((table) => rowsOf(table).some(holds))
    } finally {
      db.close()
    }
  }
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } =
      await client.query(`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not relispartition`)
    const found: string[] = []
    for (const { name: table } of rows as { name: string }[]) {
      const all = await client.query(`select * from "${table}"`)
      if ((all.rows as Record<string, unknown>[]).some(holds)) found.push(table)
    }
    return found
  } finally {
    await client.end()
  }
}

function asText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value)
}

/** How a text may look inside a longer one in base64, at each of the three places of a group; only its whole groups. */
export function inBase64(text: string): string[] {
  return [0, 1, 2].map((skipped) => {
    const whole = Math.floor((text.length - skipped) / 3) * 3
    return Buffer.from(text.slice(skipped, skipped + whole)).toString('base64')
  })
}

/** An id like those of Meta, with a number that begins at one of the three places of a group. */
export function idWith(number: string, bytesBefore: 0 | 1 | 2, end: string): string {
  const bytes = Buffer.concat([Buffer.alloc(3 + bytesBefore, 0x1c), Buffer.from(number), Buffer.from(`\u0015${end}`)])
  return `wamid.${bytes.toString('base64')}`
}
