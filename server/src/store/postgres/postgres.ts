import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { processNow } from '../../lib/clock.ts'
import { createQueryCompiler } from '../engine/dialect.ts'
import { createGroupCommit } from '../engine/group-commit.ts'
import type { Query, RowOf, Shape } from '../engine/operation.ts'
import { probeText, probeUnit } from '../engine/probe.ts'
import type { Store } from '../engine/store.ts'
import { createTopics } from '../engine/topics.ts'
import { type InputRow, UnitResult } from '../engine/unit.ts'
import { runPostgresBatch } from './postgres-batch.ts'
import { type ConnectionOptions, connection, timeLimits } from './postgres-connection.ts'
import { createPostgresDays } from './postgres-days.ts'
import { roomText } from './postgres-facts.ts'
import { findPrimary, type Primary } from './postgres-primary.ts'
import { createListReads, createPointReads, readRows } from './postgres-reads.ts'
import { listenForTopics } from './postgres-signals.ts'

/** Reads of single rows are short; two connections keep the database busy while one of them talks. */
const pointConnections = 2

/**
 * Batches in turn are larger than batches side by side, and cost the database and this process less. Behind one that takes
 * longer, by its distance or by a lock that another process holds, the next ones leave on the other connections.
 */
const besideMs = 20

/** What a process opens at most besides those for reading and for group commits: counters, clean-up, single rows, signals. */
export const furtherConnections = 1 + 1 + pointConnections + 1

type PostgresOptions = { url: string; writeConnections?: number; readConnections?: number }

/** The engine for many machines: batches on a few write connections, reads on a pool of their own. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, writeConnections = 3, readConnections = 8 } = options
  const primary = findPrimary(url)
  const pools = openPools(primary, writeConnections, readConnections)
  const { writers, talliers, apart, pointReaders, readers } = pools
  const connectTo = (pool: pg.Pool) => primary.reach(() => pool.connect())
  const topics = createTopics()
  const clock = await followDatabaseClock(() => connectTo(readers))
  const signals = await listenForTopics(primary, topics)
  const committer = (pool: pg.Pool, parallel: number, waitMaxMs?: number) =>
    createGroupCommit({
      beside: { batchesMax: parallel, afterMs: besideMs },
      waitMaxMs,
      runBatch: (units) => runPostgresBatch(() => connectTo(pool), units),
      onCommitted: (units) => signals.notify(topics.announce(units)),
    })
  const commits = committer(writers, writeConnections)
  const tallies = committer(talliers, 1)
  // Clean-up that waits behind another one's slow statement is late, not failed.
  const commitsApart = committer(apart, 1, timeLimits.long.queryMs)
  const compile = createQueryCompiler('postgres')
  const readList = createListReads(() => connectTo(readers), readConnections)
  const readPoint = createPointReads({ connect: () => connectTo(pointReaders), parallel: pointConnections })

  return {
    engine: 'postgres',
    shared: true,
    async write(unit) {
      return new UnitResult(await commits.write(unit.calls))
    },
    async tally(unit) {
      return new UnitResult(await tallies.write(unit.calls))
    },
    async writeApart(unit) {
      return new UnitResult(await commitsApart.write(unit.calls))
    },
    async read<P extends Shape, Out extends Shape>(query: Query<P, Out>, params: RowOf<P>) {
      const statement = compile(query)
      const values = statement.parameters.map((name) => (params as InputRow)[name] ?? null)
      const read = { name: query.name, text: statement.text, values }
      const owner = String((params as InputRow).account_id ?? '')
      return (await (query.lane === 'point' ? readPoint(read) : readList(read, owner))) as RowOf<Out>[]
    },
    async list<Row>(query: CompiledQuery<Row>, accountId: string) {
      return (await readList({ text: query.sql, values: [...query.parameters] }, accountId)) as Row[]
    },
    days: createPostgresDays(() => connectTo(apart)),
    onCommit: topics.listen,
    async giveBack() {},
    tell(note) {
      topics.hear(note)
      signals.tell(note)
    },
    onNote: topics.onNote,
    async dropRemains() {},
    async probeWrite() {
      await commits.write(probeUnit().calls)
    },
    async probeRoom() {
      await readRows(() => connectTo(writers), { text: roomText })
    },
    async probeRead() {
      await Promise.all([
        readPoint({ name: 'probe.read', text: probeText, values: [] }),
        readList({ text: probeText, values: [] }, ''),
      ])
    },
    clockOffsetMs: clock.offsetMs,
    depth: commits.depth,
    connections: () => countConnections(Object.values(pools)),
    async close() {
      await Promise.all([commits.drain(), tallies.drain(), commitsApart.drain()])
      clock.stop()
      await signals.stop()
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
    },
  }
}

function openPools(primary: Primary, writeConnections: number, readConnections: number) {
  const { short, list, long } = timeLimits
  const open = (max: number, options: ConnectionOptions, pipeline = false) => {
    const pool = new pg.Pool({ ...connection(options), max, pipeline, Client: primary.Client } as pg.PoolConfig)
    // A connection died, idle or in use: its query hears of it, and the next one opens another. Unheard it would end us.
    return pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  }
  return {
    writers: open(writeConnections, { limits: short, keepsPlans: true }),
    talliers: open(1, { limits: short, durable: false, keepsPlans: true }),
    apart: open(1, { limits: long, keepsPlans: true }),
    pointReaders: open(pointConnections, { limits: short, keepsPlans: true }, true),
    readers: open(readConnections, { limits: list }),
  }
}

function countConnections(pools: readonly pg.Pool[]) {
  const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0)
  return {
    active: sum(({ totalCount, idleCount }) => totalCount - idleCount),
    idle: sum(({ idleCount }) => idleCount),
    waiting: sum(({ waitingCount }) => waitingCount),
  }
}

type DatabaseClock = { offsetMs(): number; stop(): void }

const sampleEveryMs = 10_000
const questionsPerSample = 3

/**
 * The difference between the database's clock and ours, sampled every 10 s. The database looks at its clock somewhere
 * between question and answer: half the round trip is taken off, and the quickest of three answers is the most exact.
 * The connection is open before the first question, because opening one takes longer than any answer.
 */
export async function followDatabaseClock(connect: () => Promise<pg.PoolClient>): Promise<DatabaseClock> {
  let offset = 0

  async function sample(): Promise<void> {
    const client = await connect()
    let broken: Error | undefined
    try {
      let quickest = Number.POSITIVE_INFINITY
      for (let question = 0; question < questionsPerSample; question++) {
        const asked = processNow()
        const { rows } = await client.query('select extract(epoch from clock_timestamp()) * 1000 as now')
        const answered = processNow()
        if (answered - asked >= quickest) continue
        quickest = answered - asked
        offset = Number(rows[0]?.now) - (asked + answered) / 2
      }
    } catch (error) {
      broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  await sample()
  const timer = setInterval(() => void sample().catch(() => {}), sampleEveryMs)
  return { offsetMs: () => offset, stop: () => clearInterval(timer) }
}
