import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { compileQuery, type Statement } from '../engine/dialect.ts'
import { createGroupCommit } from '../engine/group-commit.ts'
import type { Query, RowOf, Shape } from '../engine/operation.ts'
import { probeOperation, probeText } from '../engine/probe.ts'
import type { Store } from '../engine/store.ts'
import { StoreUnavailable } from '../engine/store-error.ts'
import { createTopics } from '../engine/topics.ts'
import { type InputRow, Unit, UnitResult } from '../engine/unit.ts'
import { runPostgresBatch } from './postgres-batch.ts'
import { type ConnectionOptions, connection, timeLimits } from './postgres-connection.ts'
import { isUnavailable } from './postgres-failure.ts'
import { findPrimary } from './postgres-primary.ts'
import { createPointReads } from './postgres-reads.ts'
import { followDatabaseClock, listenForTopics } from './postgres-signals.ts'

/** Reads of single rows are short; two connections keep the database busy while one of them talks. */
const pointConnections = 2

/** What a process opens at most besides those for reading and for group commits: counters, clean-up, single rows, signals. */
export const furtherConnections = 1 + 1 + pointConnections + 1

export type PostgresOptions = { url: string; writeConnections?: number; readConnections?: number }

/** The engine for many machines: batches on a few write connections, reads on a pool of their own. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, writeConnections = 3, readConnections = 8 } = options
  const { short, list, long } = timeLimits
  const primary = findPrimary(url)
  const openPool = (max: number, options: ConnectionOptions, pipeline = false) =>
    new pg.Pool({ ...connection(options), max, pipeline, Client: primary.Client } as pg.PoolConfig)
  const connectTo = (pool: pg.Pool) => primary.reach(() => pool.connect())
  const writers = openPool(writeConnections, { limits: short, keepsPlans: true })
  const talliers = openPool(1, { limits: short, durable: false, keepsPlans: true })
  const apart = openPool(1, { limits: long, keepsPlans: true })
  const pointReaders = openPool(pointConnections, { limits: short }, true)
  const readers = openPool(readConnections, { limits: list })
  const pools = [writers, talliers, apart, pointReaders, readers]
  for (const pool of pools) {
    // A connection died, idle or in use: its query hears of it, and the next one opens another. Unheard it would end us.
    pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  }
  const topics = createTopics()
  const clock = await followDatabaseClock(() => connectTo(readers))
  const signals = await listenForTopics(primary, topics)
  const committer = (pool: pg.Pool, parallel: number) =>
    createGroupCommit({
      parallel,
      runBatch: (units) => runPostgresBatch(() => connectTo(pool), units),
      onCommitted: (units) => signals.notify(topics.announce(units)),
    })
  const commits = committer(writers, writeConnections)
  const tallies = committer(talliers, 1)
  const commitsApart = committer(apart, 1)
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
      const statement = queryStatement(query)
      const values = statement.parameters.map((name) => (params as InputRow)[name] ?? null)
      const read = { name: query.name, text: statement.text, values }
      return (await (query.lane === 'point' ? readPoint(read) : run(read))) as RowOf<Out>[]
    },
    async list<Row>(query: CompiledQuery<Row>) {
      return (await run({ text: query.sql, values: [...query.parameters] })) as Row[]
    },
    onCommit: topics.listen,
    async dropRemains() {},
    async probeWrite() {
      const unit = new Unit()
      unit.add(probeOperation, { at: 0 })
      await commits.write(unit.calls)
    },
    async probeRead() {
      await Promise.all([
        readPoint({ name: 'probe.read', text: probeText, values: [] }),
        run({ text: probeText, values: [] }),
      ])
    },
    clockOffsetMs: clock.offsetMs,
    depth: commits.depth,
    connections() {
      const sum = (count: (pool: pg.Pool) => number) => pools.reduce((total, pool) => total + count(pool), 0)
      return {
        active: sum(({ totalCount, idleCount }) => totalCount - idleCount),
        idle: sum(({ idleCount }) => idleCount),
        waiting: sum(({ waitingCount }) => waitingCount),
      }
    },
    async close() {
      await Promise.all([commits.drain(), tallies.drain(), commitsApart.drain()])
      clock.stop()
      await signals.stop()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }

  async function run(query: { name?: string; text: string; values: unknown[] }): Promise<unknown[]> {
    const client = await connectTo(readers).catch((error: unknown) => {
      throw new StoreUnavailable('not_stored', error)
    })
    let broken: Error | undefined
    try {
      return (await client.query(query)).rows
    } catch (error) {
      if (!(error instanceof Error && isUnavailable(error))) throw error
      broken = error
      throw new StoreUnavailable('not_stored', error)
    } finally {
      client.release(broken)
    }
  }
}

const queries = new WeakMap<object, Statement>()

function queryStatement(query: Query<Shape, Shape>): Statement {
  const known = queries.get(query)
  if (known) return known
  const statement = compileQuery('postgres', query)
  queries.set(query, statement)
  return statement
}
