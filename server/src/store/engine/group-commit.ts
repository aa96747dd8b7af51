import { createGathering } from './gathering.ts'
import { StoreUnavailable } from './store-error.ts'
import type { Call, Committed, InputRow } from './unit.ts'
import { watchWaiting } from './watch-waiting.ts'

export type UnitOutcome = { rowsByCall: InputRow[][]; idle?: Committed['idle'] } | { error: Error }

/**
 * Runs many units in one durable transaction; one outcome per unit, in order. Rejects when none was stored. With the first
 * `begun` of them the writer has begun already.
 */
export type BatchRunner = (units: readonly (readonly Call[])[], begun: number) => Promise<UnitOutcome[]>

type Waiting = {
  readonly calls: readonly Call[]
  readonly rows: number
  /** Holds a statement that is never merged with others, and gains nothing by waiting for them. */
  readonly alone: boolean
  readonly precedesCall: boolean
  readonly since: number
  resolve(rowsByCall: InputRow[][]): void
  reject(error: Error): void
}

export type GroupCommit = {
  write(calls: readonly Call[]): Promise<InputRow[][]>
  /** Units accepted and not yet answered. */
  depth(): number
  /** Resolves when everything accepted so far is answered. */
  drain(): Promise<void>
}

type Options = {
  runBatch: BatchRunner
  /** Gives the writer the next units of the batch that leaves in a moment: it works on them while the rest are still being made. */
  begin?: (units: readonly (readonly Call[])[]) => void
  /** Batches under way at once: SQLite has one writer, PostgreSQL a few connections. */
  parallel: number
  unitsMax?: number
  rowsMax?: number
  /** With so many rows a batch leaves although `parallel` others are under way, so that the writer never waits for work. */
  rowsAhead?: number
  /** For so long at most units wait for the end of a batch instead of leaving beside it. */
  gatherMs?: number
  /** For so long a batch waits for more while turns of the event loop bring some, unless the last one had few. */
  turnsMs?: number
  /** After one of so many it does not wait either: they are enough, and the database would stand still meanwhile. */
  enoughUnits?: number
  /**
   * What precedes a call of the platform and everything else leave by turns, where both wait. In one batch, all callers would
   * wait for the database at the same time, and then all for the platform and for themselves.
   */
  alternate?: boolean
  waitingMax?: number
  /** For so long at most a unit waits for its batch to leave; by default as long as a request can. */
  waitMaxMs?: number | undefined
  onCommitted?: (units: readonly Committed[]) => void
}

/** A lone caller, or a few, would only wait. */
const fewUnits = 4
/** It is told of so many units or a quarter of the last batch at a time: each message between threads costs. */
const beginUnits = 8
/** A batch of more rows takes long, and nothing waits for it. */
const gatherRows = 1_000

/**
 * Units that arrive while a batch is on its way to disk form the next batch: one fsync serves all of them. A lone unit
 * leaves at the end of the current tick: a turn of the event loop takes long while a flood is refused.
 */
export function createGroupCommit(options: Options): GroupCommit {
  const { runBatch, parallel, unitsMax = 512, rowsMax = 4_000, rowsAhead = Number.POSITIVE_INFINITY } = options
  const { waitingMax = 50_000, gatherMs = 0, turnsMs = 0, enoughUnits = unitsMax } = options
  const { begin, onCommitted = () => {}, alternate = false } = options
  let waiting: Waiting[] = []
  const drained: (() => void)[] = []
  let rowsWaiting = 0
  let aloneWaiting = 0
  let underWay = 0
  let answering = 0
  let scheduled = false
  let lastUnits = 0
  let lastPreceded = false
  /** How many of those that wait the writer has begun with. */
  let begun = 0
  const gathering = createGathering(schedule)
  const watch = watchWaiting(dropLate, options.waitMaxMs)

  return {
    write(calls) {
      if (waiting.length >= waitingMax) {
        return Promise.reject(new StoreUnavailable('not_stored', new Error(`${waitingMax} writes are waiting`)))
      }
      return new Promise((resolve, reject) => {
        const rows = calls.reduce((sum, call) => sum + call.rows.length, 0)
        const alone = calls.some(({ operation }) => operation.alone)
        const precedesCall = calls.some(({ operation }) => operation.precedesCall)
        waiting.push({ calls, rows, alone, precedesCall, since: performance.now(), resolve, reject })
        rowsWaiting += rows
        if (alone) aloneWaiting++
        watch()
        schedule()
        if (begin && scheduled && underWay === 0) beginWith(begin)
      })
    },
    depth: () => waiting.length + answering,
    drain: () =>
      waiting.length + answering === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve)),
  }

  function schedule(): void {
    const mayLeave = underWay < parallel || (underWay === parallel && rowsWaiting >= rowsAhead)
    if (scheduled || !mayLeave || waiting.length === 0) return
    if (aloneWaiting === 0 && gathering.isOn()) return
    scheduled = true
    if (lastUnits < fewUnits) process.nextTick(leave)
    else if (turnsMs > 0 && lastUnits < enoughUnits) leaveWhenQuiet(performance.now() + turnsMs, 0)
    else setImmediate(leave)
  }

  function beginWith(start: NonNullable<Options['begin']>): void {
    if (waiting.length - begun < Math.max(beginUnits, lastUnits / 4) || rowsWaiting > rowsMax) return
    start(waiting.slice(begun).map(({ calls }) => calls))
    begun = waiting.length
  }

  function leave(): void {
    scheduled = false
    void commitNext()
  }

  /** After two turns that bring nothing: what a turn reads from sockets starts at its end, behind this look. */
  function leaveWhenQuiet(untilMs: number, known: number, quietTurns = 0): void {
    setImmediate(() => {
      const mayWait = rowsWaiting < gatherRows && aloneWaiting === 0 && performance.now() < untilMs
      const quiet = waiting.length > known ? 0 : quietTurns + 1
      if (mayWait && quiet < 2) leaveWhenQuiet(untilMs, waiting.length, quiet)
      else leave()
    })
  }

  function dropLate(before: number): number {
    // Those leave within milliseconds, and the writer has them.
    if (begun > 0) return waiting.length
    const inTime = waiting.findIndex(({ since }) => since > before)
    const count = inTime < 0 ? waiting.length : inTime
    const late = take((_, index) => index < count)
    const unavailable = new StoreUnavailable('not_stored', new Error('The write waited too long for a connection.'))
    for (const { reject } of late) reject(unavailable)
    settleDrain()
    return waiting.length
  }

  function settleDrain(): void {
    if (waiting.length + answering === 0) for (const resolve of drained.splice(0)) resolve()
  }

  async function commitNext(): Promise<void> {
    const batch = takeBatch()
    if (batch.length === 0) return
    const begunWith = begun
    begun = 0
    underWay++
    lastUnits = batch.length
    answering += batch.length
    const endGathering = gathering.behind(Math.min(gatherMs, usualMs(batch)))
    schedule()
    try {
      const outcomes = await runBatch(
        batch.map((unit) => unit.calls),
        begunWith,
      )
      onCommitted(committedOf(batch, outcomes))
      for (const [index, unit] of batch.entries()) settle(unit, outcomes[index])
    } catch (error) {
      for (const unit of batch) unit.reject(error instanceof Error ? error : new Error(String(error)))
    } finally {
      underWay--
      answering -= batch.length
      endGathering()
      schedule()
      settleDrain()
    }
  }

  function takeBatch(): Waiting[] {
    const belongs = chooseKind()
    let rows = 0
    let count = 0
    return take((unit, index) => {
      const fits = index < begun || (count < unitsMax && rows <= rowsMax)
      if (!fits || !belongs(unit)) return false
      rows += unit.rows
      count++
      return true
    })
  }

  function chooseKind(): (unit: Waiting) => boolean {
    const preceding = waiting.filter(({ precedesCall }) => precedesCall).length
    const both = preceding > 0 && preceding < waiting.length
    lastPreceded = both ? !lastPreceded : preceding > 0
    return alternate && both ? ({ precedesCall }) => precedesCall === lastPreceded : () => true
  }

  function take(isTaken: (unit: Waiting, index: number) => boolean): Waiting[] {
    const taken: Waiting[] = []
    waiting = waiting.filter((unit, index) => {
      if (!isTaken(unit, index)) return true
      taken.push(unit)
      return false
    })
    for (const { rows, alone } of taken) {
      rowsWaiting -= rows
      if (alone) aloneWaiting--
    }
    return taken
  }
}

/**
 * What a database at hand takes for a batch, with some room; a message is four or five rows. One that takes longer is far away
 * or waits for a slow disk, and could work on the next meanwhile. Nothing waits for a large batch, or for one that is never
 * merged with others.
 */
function usualMs(batch: readonly Waiting[]): number {
  const rows = batch.reduce((sum, unit) => sum + unit.rows, 0)
  return rows > gatherRows || batch.some(({ alone }) => alone) ? 0 : 2 + rows / 20
}

function committedOf(batch: readonly Waiting[], outcomes: readonly UnitOutcome[]): Committed[] {
  const committed: Committed[] = []
  for (const [index, { calls }] of batch.entries()) {
    const outcome = outcomes[index]
    if (outcome && 'rowsByCall' in outcome)
      committed.push({ calls, rowsByCall: outcome.rowsByCall, idle: outcome.idle })
  }
  return committed
}

function settle(unit: Waiting, outcome: UnitOutcome | undefined): void {
  if (!outcome) unit.reject(new Error('The batch lost an outcome.'))
  else if ('error' in outcome) unit.reject(outcome.error)
  else unit.resolve(outcome.rowsByCall)
}
