import { statSync } from 'node:fs'
import type { StatementSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { followWallClock } from '../../lib/clock.ts'
import { createQueryCompiler } from '../engine/dialect.ts'
import { createGroupCommit } from '../engine/group-commit.ts'
import type { Query, RowOf, Shape, Value } from '../engine/operation.ts'
import { probeText, probeUnit } from '../engine/probe.ts'
import { createRowMaker } from '../engine/row-maker.ts'
import type { Store } from '../engine/store.ts'
import { createTopics } from '../engine/topics.ts'
import { type InputRow, type Unit, UnitResult } from '../engine/unit.ts'
import { openSqlite } from './sqlite-connection.ts'
import { createSqliteDays } from './sqlite-days.ts'
import { findRoom } from './sqlite-facts.ts'
import { describeSqliteError, toCommitError, toStoreError } from './sqlite-failure.ts'
import { createSqliteReader } from './sqlite-reader.ts'
import { createKnownStatements, wireValue } from './sqlite-statements.ts'
import { startSqliteThread } from './sqlite-thread.ts'
import type { ReaderReply, WireStatement, WireValue, WriterReply } from './sqlite-wire.ts'

/** The embedded engine: one writer thread, one thread for lists, and a connection here for reads of a few microseconds. */
/**
 * Zeros are written over what is deleted, and not over what a page keeps of a row that moved to another page before. A file of
 * this size is written anew within a second; a larger one may keep such pieces until `postern restore` of a backup.
 */
const rewrittenBytesMax = 64 * 1024 * 1024

export async function openSqliteStore(path: string): Promise<Store> {
  const known = createKnownStatements()
  const writer = await startSqliteThread<WriterReply>({ path, role: 'writer', onReplaced: known.clear })
  // The first thread starts with the first list: most commands have none, and a thread takes 50 ms.
  const reader = createSqliteReader({ start: () => startSqliteThread<ReaderReply>({ path, role: 'reader' }) })
  const points = openPointReads(path)
  const compile = createQueryCompiler('sqlite')
  const topics = createTopics()
  const wall = followWallClock()
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
    async dropRemains() {
      if (statSync(path).size <= rewrittenBytesMax) rowsOf(await reader.readAlone({ text: 'vacuum', values: [] }))
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
    },
  }

  async function readThere(text: string, values: WireValue[], owner: string): Promise<unknown[]> {
    return rowsOf(await reader.read({ text, values }, owner))
  }
}

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
