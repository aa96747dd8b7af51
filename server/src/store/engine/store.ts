import type { CompiledQuery } from 'kysely'
import type { DayKeeper } from './day-tables.ts'
import type { Engine } from './dialect.ts'
import type { Query, RowOf, Shape, Topic } from './operation.ts'
import type { Touched } from './topics.ts'
import type { Unit, UnitResult } from './unit.ts'

/** Everything the domain may ask of a database. Two engines implement it; conformance.test.ts says what both promise. */
export type Store = {
  readonly engine: Engine
  /** Several processes may use the database at the same time. */
  readonly shared: boolean
  /** All or nothing, on disk when it resolves. Units of the same few milliseconds share one transaction. */
  write(unit: Unit): Promise<UnitResult>
  /** The same without waiting for the disk on PostgreSQL: for counters that may lose their last moment in a crash. */
  tally(unit: Unit): Promise<UnitResult>
  /** The same on a connection of its own on PostgreSQL: for long work that nobody's send should share a commit with. */
  writeApart(unit: Unit): Promise<UnitResult>
  read<P extends Shape, Out extends Shape>(query: Query<P, Out>, params: RowOf<P>): Promise<RowOf<Out>[]>
  /**
   * Runs a query that Kysely compiled; for lists with many optional filters. Accounts take turns on
   * SQLite, and each has a share of the connections on PostgreSQL.
   */
  list<Row>(query: CompiledQuery<Row>, accountId: string): Promise<Row[]>
  /** What goes by age, day by day. */
  readonly days: DayKeeper
  /**
   * Calls back soon after something of this topic was committed, here or on another node, with whose it was. A hint:
   * polling stays.
   */
  onCommit(topic: Topic, listener: (touched: Touched) => void): () => void
  /** Gives room on the disk back that is free and will not be used soon. PostgreSQL does so by itself, by dropping days. */
  giveBack(): Promise<void>
  /**
   * Tells every process of the database, this one too, a few words that are stored nowhere: letters, digits, `_`, `.`, at
   * most 200. They may get lost.
   */
  tell(note: string): void
  onNote(listener: (note: string) => void): () => void
  /**
   * Until this resolves, what was deleted or replaced may still be readable in the files of SQLite. PostgreSQL keeps old
   * versions of rows until it vacuums, which is not asked for here.
   */
  dropRemains(): Promise<void>
  /** Proves that a write reaches the disk; rejects when it does not. */
  probeWrite(): Promise<void>
  /** Proves that the disk has room for more than is stored already; rejects when it has none. */
  probeRoom(): Promise<void>
  /** Proves that rows and lists can be read; rejects when they cannot. */
  probeRead(): Promise<void>
  /** Milliseconds to add to this process's clock to get the database's. */
  clockOffsetMs(): number
  /** Units waiting for the disk. */
  depth(): number
  /** Connections or threads at work, without work, and questions that wait for one. */
  connections(): { active: number; idle: number; waiting: number }
  close(): Promise<void>
}
