import { closeSync, fdatasyncSync, openSync } from 'node:fs'
import type { StatementSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import { followWallClock } from '../../lib/clock.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { type DayKeeper, type DayTable, daysAhead, dayTableNames, dayTables } from '../engine/day-tables.ts'
import { createQueryCompiler } from '../engine/dialect.ts'
import { deleteInBatches } from '../engine/expire-before.ts'
import { createGroupCommit } from '../engine/group-commit.ts'
import { createRowMaker, operation, type Query, type RowOf, type Shape, type Value } from '../engine/operation.ts'
import { probeText, probeUnit } from '../engine/probe.ts'
import type { Store } from '../engine/store.ts'
import { createTopics } from '../engine/topics.ts'
import { type InputRow, type Unit, UnitResult } from '../engine/unit.ts'
import { findRoom, openSqlite } from './sqlite-connection.ts'
import {
  describeSqliteError,
  type ReaderReply,
  toCommitError,
  toStoreError,
  type WireStatement,
  type WireValue,
  type WriterReply,
} from './sqlite-failure.ts'
import { createSqliteReader } from './sqlite-reader.ts'
import { rounds } from './sqlite-remains.ts'
import { createKnownStatements, wireValue } from './sqlite-statements.ts'
import { startSqliteThread } from './sqlite-thread.ts'

/** The embedded engine: one writer thread, one thread for lists, and a connection here for reads of a few microseconds. */
export async function openSqliteStore(path: string): Promise<Store> {
  const known = createKnownStatements()
  const writer = await startSqliteThread<WriterReply>({ path, role: 'writer', onReplaced: known.clear })
  // The first thread starts with the first list: most commands have none, and a thread takes 50 ms.
  const reader = createSqliteReader({ start: () => startSqliteThread<ReaderReply>({ path, role: 'reader' }) })
  const points = openPointReads(path)
  const compile = createQueryCompiler('sqlite')
  const topics = createTopics()
  const wall = followWallClock()
  let file: number | null = null
  let clearing = 0
  const commits = createGroupCommit({
    async runBatch(units) {
      const learn: WireStatement[] = []
      const reply = await writer.ask({ units: known.toWire(units, learn), learn })
      if ('failed' in reply) throw toCommitError(reply.failed)
      return known.fromWire(units, reply)
    },
    onCommitted: (units) => topics.announce(units),
  })

  const write = async (unit: Unit) => new UnitResult(await commits.write(unit.calls))

  return {
    engine: 'sqlite',
    shared: false,
    write,
    tally: write,
    writeApart: write,
    async read<P extends Shape, Out extends Shape>(query: Query<P, Out>, params: RowOf<P>) {
      const statement = compile(query)
      const values = statement.parameters.map((name) => wireValue((params as InputRow)[name]))
      const rows =
        query.lane === 'point'
          ? points.read(statement.text, values)
          : await readThere(statement.text, values, String((params as InputRow).account_id ?? ''))
      return rows as RowOf<Out>[]
    },
    async list<Row>(query: CompiledQuery<Row>, accountId: string) {
      return (await readThere(
        query.sql,
        query.parameters.map((value) => wireValue(value as Value)),
        accountId,
      )) as Row[]
    },
    days: createSqliteDays(write),
    onCommit: topics.listen,
    async giveBack() {
      // A page that moves to where it was looked at already would keep its remains.
      for (let left = 1; left > 0 && clearing === 0; await delay(shrinkPauseMs)) {
        const reply = await writer.ask({ shrink: true })
        if ('failed' in reply) throw toStoreError(reply.failed)
        left = Number(reply.results[0])
      }
    },
    tell: topics.hear,
    onNote: topics.onNote,
    async dropRemains() {
      file ??= openSync(path, 'r+')
      clearing++
      try {
        await clearRemains(file)
      } finally {
        clearing--
      }
      fdatasyncSync(file)
      const reply = await reader.readAlone({ text: 'pragma wal_checkpoint(truncate)', values: [] })
      const [checkpoint] = rowsOf(reply) as { busy: number }[]
      if (checkpoint?.busy !== 0)
        throw new Error('Another program reads the database file, so its log cannot be emptied.')
    },
    async probeWrite() {
      await commits.write(probeUnit().calls)
    },
    probeRoom: () => findRoom(path),
    async probeRead() {
      points.read(probeText, [])
      await readThere(probeText, [], '')
    },
    clockOffsetMs: wall.offsetMs,
    depth: commits.depth,
    connections() {
      const depth = commits.depth()
      const writing = Math.min(1, depth)
      return { active: writing, idle: 2 - writing, waiting: depth - writing }
    },
    async close() {
      wall.stop()
      await commits.drain()
      points.close()
      await Promise.all([writer.stop(), reader.stop()])
      // After SQLite has closed it: to close a file once takes the locks of all who have it open in this process.
      if (file !== null) closeSync(file)
    },
  }

  async function clearRemains(file: number): Promise<void> {
    for (let round = 1; round <= rounds; round++) {
      for (let from: number | null = 1; from !== null; ) {
        const [step] = rowsOf(await reader.readAlone({ zero: { file, from } })) as { next: number | null }[]
        from = step?.next ?? null
      }
    }
  }

  async function readThere(text: string, values: WireValue[], owner: string): Promise<unknown[]> {
    return rowsOf(await reader.read({ text, values }, owner))
  }
}

/** Between two steps of shrinking the file: writes have most of the time. */
const shrinkPauseMs = 20

function rowsOf(reply: ReaderReply): unknown[] {
  if ('error' in reply) throw toStoreError(reply.error)
  return reply.rows.map(createRowMaker(reply.columns))
}

/** Reads of a few microseconds, in this thread. */
function openPointReads(path: string) {
  const connection = openSqlite(path, 'read')
  const statements = new Map<string, PointRead>()
  return {
    read(text: string, values: WireValue[]): unknown[] {
      try {
        const { statement, toRow } = statements.get(text) ?? prepare(text)
        return (statement.all(...values) as unknown as WireValue[][]).map(toRow)
      } catch (error) {
        throw toStoreError(describeSqliteError(error))
      }
    },
    close: () => connection.close(),
  }

  function prepare(text: string): PointRead {
    const statement = connection.prepare(text)
    statement.setReturnArrays(true)
    const read = { statement, toRow: createRowMaker(statement.columns().map(({ name }) => name)) }
    statements.set(text, read)
    return read
  }
}

type PointRead = { statement: StatementSync; toRow: ReturnType<typeof createRowMaker> }

const deletions = Object.fromEntries(dayTableNames.map((table) => [table, deletionOf(table)])) as Record<
  DayTable,
  ReturnType<typeof deletionOf>
>

/** Without partitions: the beginning of the index of ids goes, a bounded number at a time. */
function createSqliteDays(write: Store['write']): DayKeeper {
  return {
    async make() {},
    async ahead() {
      return daysAhead
    },
    async drop(table, before) {
      const first_kept = firstIdAt(dayTables[table].prefix, before)
      await deleteInBatches({ engine: 'sqlite', writeApart: write }, (unit, count) =>
        unit.add(deletions[table], { first_kept, count }),
      )
    },
  }
}

function deletionOf(table: DayTable) {
  const { column } = dayTables[table]
  return operation({
    name: `${table}.delete_days`,
    input: { first_kept: 'text', count: 'int' },
    returns: { deleted: 'int' },
    alone: true,
    sql: `delete from ${table} where rowid in (select rowid from ${table} where ${column} < (select first_kept from rows)
            order by ${column} limit (select count from rows)) returning 1 as deleted`,
  })
}
