import type { StatementSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import { followWallClock } from '../../lib/clock.ts'
import { createQueryCompiler } from '../engine/dialect.ts'
import { createGroupCommit } from '../engine/group-commit.ts'
import type { Query, RowOf, Shape, Value } from '../engine/operation.ts'
import { probeText, probeUnit } from '../engine/probe.ts'
import { createRowMaker } from '../engine/row-maker.ts'
import type { Store } from '../engine/store.ts'
import { StoreUnavailable } from '../engine/store-error.ts'
import { createTopics } from '../engine/topics.ts'
import { type InputRow, type Unit, UnitResult } from '../engine/unit.ts'
import { openSqlite } from './sqlite-connection.ts'
import { describeSqliteError, toCommitError, toStoreError } from './sqlite-failure.ts'
import { findRoom } from './sqlite-room.ts'
import { createKnownStatements, wireValue } from './sqlite-statements.ts'
import { type SqliteThread, startSqliteThread } from './sqlite-thread.ts'
import type { ReaderReply, WireStatement, WireValue, WriterReply } from './sqlite-wire.ts'

/**
 * What the writer thread takes some 20 ms for. With batches of any size everything that waits is in one, and the two threads
 * work in turn instead of both at once.
 */
const batchRows = 1_000

/** A commit of few units costs nearly as much as one of many, and the thread that writes has time left. */
const turnsMs = 5

/** The embedded engine: one writer thread, one thread for lists, and a connection here for reads of a few microseconds. */
export async function openSqliteStore(path: string): Promise<Store> {
  const known = createKnownStatements()
  const writer = await startSqliteThread<WriterReply>({ path, role: 'writer', onReplaced: known.clear })
  let reader: Promise<SqliteThread<ReaderReply>> | null = null
  let closed = false
  const points = openPointReads(path)
  const compile = createQueryCompiler('sqlite')
  const topics = createTopics()
  const wall = followWallClock()
  const commits = createGroupCommit({
    parallel: 1,
    rowsMax: batchRows,
    rowsAhead: batchRows,
    turnsMs,
    begin(units) {
      const learn: WireStatement[] = []
      writer.tell({ units: known.toWire(units, learn), learn })
    },
    async runBatch(units, begun) {
      const learn: WireStatement[] = []
      const rest = begun === 0 ? units : units.slice(begun)
      const reply = await writer.ask({ begun, units: known.toWire(rest, learn), learn })
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
        query.lane === 'point' ? points.read(statement.text, values) : await readThere(statement.text, values)
      return rows as RowOf<Out>[]
    },
    async list<Row>(query: CompiledQuery<Row>) {
      return (await readThere(
        query.sql,
        query.parameters.map((value) => wireValue(value as Value)),
      )) as Row[]
    },
    onCommit: topics.listen,
    async dropRemains() {
      // In the thread of the long reads, so that none of them can stand in the way.
      const [checkpoint] = (await readThere('pragma wal_checkpoint(truncate)', [])) as { busy: number }[]
      if (checkpoint?.busy !== 0)
        throw new Error('Another program reads the database file, so its log cannot be emptied.')
    },
    async probeWrite() {
      await commits.write(probeUnit().calls)
    },
    probeRoom: () => findRoom(path),
    async probeRead() {
      points.read(probeText, [])
      await readThere(probeText, [])
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
      closed = true
      await Promise.all([
        writer.stop(),
        reader?.then(
          (thread) => thread.stop(),
          () => {},
        ),
      ])
    },
  }

  /** A command that lists nothing, and most do not, saves the 50 ms that a thread takes to start. */
  function theReader(): Promise<SqliteThread<ReaderReply>> {
    if (closed) throw new StoreUnavailable('not_stored', new Error('The store is closed.'))
    reader ??= startSqliteThread<ReaderReply>({ path, role: 'reader' }).catch((error) => {
      reader = null
      throw new StoreUnavailable('not_stored', error)
    })
    return reader
  }

  async function readThere(text: string, values: WireValue[]): Promise<unknown[]> {
    const reply = await (await theReader()).ask({ text, values })
    if ('error' in reply) throw toStoreError(reply.error)
    return reply.rows.map(createRowMaker(reply.columns))
  }
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
