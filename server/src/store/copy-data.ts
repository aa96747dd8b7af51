import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { openCopyFact } from './accounts/installation.ts'
import type { CopyEnd, CopyRow, CopyTable, CopyValue } from './engine/copy-end.ts'
import type { Database } from './engine/database.ts'
import { StoreRefusesToStart } from './engine/store-error.ts'
import { migrate, requireOurSchema } from './migrate.ts'
import { openPostgresCopyEnd } from './postgres/postgres-copy-end.ts'
import { openSqliteCopyEnd, schemaTables } from './sqlite/sqlite-copy-end.ts'

/** A row may be a callback with a megabyte of body. */
const pageRows = 250

/** A table whose copy is not what it was made from. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers'
  readonly table: string

  constructor(table: string) {
    super(`The copy of ${table} differs from its original.`)
    this.table = table
  }
}

type Counted = (rows: number) => void

/**
 * From one engine to the other, table by table in the order of their keys. How far each table is stands in the target,
 * written with the rows themselves, so a copy that was cut short goes on where it was. Until it is finished, a fact in the
 * target keeps gateways from starting on it. The source is only read, and nothing may write to it meanwhile.
 */
export async function openCopy(
  source: Database,
  target: Database,
  { now, restart }: { now: number; restart: boolean },
) {
  await requireOurSchema(source)
  await migrate(target, { now })
  const tables = schemaTables()
  const from = await openEnd(source, 'read')
  const to = await openEnd(target, 'write').catch(async (error: unknown) => {
    await from.close()
    throw error
  })
  return {
    tables: tables.map(({ name }) => name),
    from,
    to,
    /** Which key opens the sealed values: they begin with its fingerprint, and every installation has this one. */
    async masterKeyId(): Promise<string | null> {
      return (await factOf(from, 'pepper'))?.split('.')[0] ?? null
    },
    /** True where it goes on with one that was cut short. */
    begin: () => begin({ tables, from, to, restart }),
    /** Rows that there are, and rows that were copied already. */
    async progress(): Promise<{ total: number; done: number }> {
      let total = 0
      for (const { name } of tables) total += Number((await from.rows(`select count(*) from ${name}`))[0]?.[0])
      const [step] = await to.rows('select coalesce(sum(rows), 0) from copy_steps')
      return { total, done: Number(step?.[0] ?? 0) }
    },
    async copyTables(onRows: Counted): Promise<void> {
      for (const table of tables) await copyTable(table, { from, to, onRows })
    },
    /** Compares every table, and gives the number of rows of each. */
    async compareTables(onRows: Counted): Promise<Record<string, number>> {
      const rows: Record<string, number> = {}
      for (const table of tables) rows[table.name] = await compareTable(table, { from, to, onRows })
      return rows
    },
    /** From now on a gateway starts on it. `facts` replace what the source says of itself. */
    async finish(facts: Readonly<Record<string, string>>): Promise<void> {
      await to.tidy()
      await to.inOne(async () => {
        for (const table of tables.filter(({ counter }) => counter !== null)) {
          const last = await from.counter(table)
          if (last > 0) await to.setCounter(table, last)
        }
        for (const [name, value] of Object.entries(facts)) {
          await to.rows('delete from installation where name = ?1', [name])
          await to.rows('insert into installation (name, value) values (?1, ?2)', [name, value])
        }
        await to.rows('delete from installation where name = ?1', [openCopyFact])
        await to.rows('drop table copy_steps')
      })
    },
    async close(): Promise<void> {
      await from.close()
      await to.close()
    },
  }
}

export type Copy = Awaited<ReturnType<typeof openCopy>>

function openEnd(database: Database, mode: 'read' | 'write'): Promise<CopyEnd> {
  switch (database.kind) {
    case 'sqlite':
      return openSqliteCopyEnd(database.path, mode)
    case 'postgres':
      return openPostgresCopyEnd(database.url)
  }
}

type Ends = { from: CopyEnd; to: CopyEnd }

const createSteps = 'create table copy_steps (name text primary key, after_key text, rows bigint not null)'

async function begin({
  tables,
  from,
  to,
  restart,
}: Ends & { tables: CopyTable[]; restart: boolean }): Promise<boolean> {
  const id = await factOf(from, 'id')
  if (id === null) throw new StoreRefusesToStart('There is nothing to copy: no gateway was ever started on this data.')
  if ((await factOf(from, openCopyFact)) !== null) {
    throw new StoreRefusesToStart('The source is itself an unfinished copy: finish it first.')
  }
  const open = await factOf(to, openCopyFact)
  if (open !== null && open !== id && !restart) {
    throw new StoreRefusesToStart(
      'The target holds an unfinished copy of another installation. Discard it with --restart, or choose an empty database.',
    )
  }
  if (open !== null && !restart) return true
  if (open === null && (await holdsData(to))) {
    throw new StoreRefusesToStart('The target already contains data: choose an empty database.')
  }
  await to.inOne(async () => {
    if (open !== null) await to.rows('drop table copy_steps')
    for (const { name } of tables) await to.rows(`delete from ${name}`)
    await to.rows('insert into installation (name, value) values (?1, ?2)', [openCopyFact, id])
    await to.rows(createSteps)
  })
  return false
}

async function factOf(end: CopyEnd, name: string): Promise<string | null> {
  const [row] = await end.rows('select value from installation where name = ?1', [name])
  return row === undefined ? null : String(row[0])
}

async function holdsData(end: CopyEnd): Promise<boolean> {
  const found = await end.rows('select 1 where exists (select 1 from accounts) or exists (select 1 from installation)')
  return found.length > 0
}

async function copyTable(table: CopyTable, { from, to, onRows }: Ends & { onRows: Counted }): Promise<void> {
  const [step] = await to.rows('select after_key, rows from copy_steps where name = ?1', [table.name])
  let rows = Number(step?.[1] ?? 0)
  const places = table.key.map((column) => table.columns.findIndex(({ name }) => name === column))
  const after = typeof step?.[0] === 'string' ? rowOf(step[0]) : null
  for await (const page of pagesOf(from, table, after)) {
    const last = page.at(-1) ?? []
    rows += page.length
    await to.inOne(async () => {
      await to.insert(table, page)
      await noteStep(to, { name: table.name, after: places.map((place) => last[place] ?? null), rows })
    })
    onRows(page.length)
  }
}

/** How far a table is, or the files behind `blobs`. */
export async function noteStep(
  to: CopyEnd,
  { name, after, rows }: { name: string; after: CopyRow; rows: number },
): Promise<void> {
  await to.rows(
    `insert into copy_steps (name, after_key, rows) values (?1, ?2, ?3)
     on conflict (name) do update set after_key = excluded.after_key, rows = excluded.rows`,
    [name, textOf(after), rows],
  )
}

async function* pagesOf(end: CopyEnd, table: CopyTable, after: CopyRow | null): AsyncGenerator<CopyRow[]> {
  const { name, key } = table
  const columns = table.columns.map((column) => column.name).join(', ')
  const places = key.map((column) => table.columns.findIndex((own) => own.name === column))
  const behind = `where (${key.join(', ')}) > (${key.map((_, index) => `?${index + 1}`).join(', ')})`
  for (let last = after; ; ) {
    const page: CopyRow[] = await end.rows(
      `select ${columns} from ${name} ${last === null ? '' : behind} order by ${key.join(', ')} limit ${pageRows}`,
      last ?? [],
    )
    if (page.length > 0) yield page
    if (page.length < pageRows) return
    const row = page.at(-1) ?? []
    last = places.map((place) => row[place] ?? null)
    // SQLite reads without waiting; the line about the progress is drawn in between.
    await setImmediate()
  }
}

async function compareTable(table: CopyTable, { from, to, onRows }: Ends & { onRows: Counted }): Promise<number> {
  const [original, copied] = [await digestOf(from, table, onRows), await digestOf(to, table, onRows)]
  if (original.hash !== copied.hash || original.rows !== copied.rows) throw new CopyDiffers(table.name)
  return original.rows
}

async function digestOf(end: CopyEnd, table: CopyTable, onRows: Counted): Promise<{ hash: string; rows: number }> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const page of pagesOf(end, table, null)) {
    for (const row of page) {
      if (table.name === 'installation' && row[0] === openCopyFact) continue
      hash.update(`${textOf(row)}\n`)
      rows++
    }
    onRows(page.length)
  }
  return { hash: hash.digest('hex'), rows }
}

/** The same text on both engines; bytes are marked, because a key may contain some. */
function textOf(row: CopyRow): string {
  return JSON.stringify(
    row.map((value) => (value instanceof Uint8Array ? [Buffer.from(value).toString('hex')] : value)),
  )
}

function rowOf(text: string): CopyRow {
  const values = JSON.parse(text) as (CopyValue | [string])[]
  return values.map((value) => (Array.isArray(value) ? Buffer.from(value[0] ?? '', 'hex') : value))
}
