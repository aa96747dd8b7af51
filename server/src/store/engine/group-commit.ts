import { watchWaiting } from './probe.ts'
import { StoreUnavailable } from './store-error.ts'
import type { Call, Committed, InputRow } from './unit.ts'

export type UnitOutcome = { rowsByCall: InputRow[][]; idle?: Committed['idle'] } | { error: Error }

/** Runs many units in one durable transaction; one outcome per unit, in order. Rejects when none was stored. */
type BatchRunner = (units: readonly (readonly Call[])[]) => Promise<UnitOutcome[]>

type GroupCommit = {
  write(calls: readonly Call[]): Promise<InputRow[][]>
  /** Units accepted and not yet answered. */
  depth(): number
  /** Resolves when everything accepted so far is answered. */
  drain(): Promise<void>
}

type Options = {
  runBatch: BatchRunner
  /** On several connections: how many batches at most, and after how long the next one stops waiting for the one under way. */
  beside?: { batchesMax: number; afterMs: number }
  /** For so long at most a unit waits for its batch to leave; by default as long as a request can. */
  waitMaxMs?: number | undefined
  onCommitted?: (units: readonly Committed[]) => void
}

type Waiting = {
  readonly calls: readonly Call[]
  readonly rows: number
  readonly since: number
  resolve(rowsByCall: InputRow[][]): void
  reject(error: Error): void
}

const batchUnits = 512
const batchRows = 4_000
const waitingMax = 50_000

/**
 * One durable transaction for everything that is written at the same moment: one fsync and, on PostgreSQL, one packet.
 *
 *   idle       What is written first leaves at the end of its tick, with all that this tick wrote.
 *   under way  What arrives meanwhile waits, and is the next batch as soon as this one has ended.
 *   beside     Where there are several connections, one that takes longer, by its distance or by a lock that another
 *              process holds, is waited for no longer: the next one leaves beside it.
 *   late       What has waited for four seconds is rejected as not stored, also behind a disk that hangs.
 *
 * A batch that fails as a whole fails each of its units with the reason. Price: a unit that comes while a batch is under
 * way waits for the rest of it.
 */
export function createGroupCommit(options: Options): GroupCommit {
  const { runBatch, beside, onCommitted = () => {} } = options
  const waiting: Waiting[] = []
  const drained: (() => void)[] = []
  let underWay = 0
  let answering = 0
  let leaving = false
  let leftAt = 0
  let besideTimer: NodeJS.Timeout | undefined
  const watch = watchWaiting(rejectLate, options.waitMaxMs)

  return {
    write(calls) {
      if (waiting.length >= waitingMax) {
        return Promise.reject(new StoreUnavailable('not_stored', new Error(`${waitingMax} writes are waiting`)))
      }
      return new Promise((resolve, reject) => {
        const rows = calls.reduce((sum, call) => sum + call.rows.length, 0)
        waiting.push({ calls, rows, since: performance.now(), resolve, reject })
        watch()
        schedule()
      })
    },
    depth: () => waiting.length + answering,
    drain: () =>
      waiting.length + answering === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve)),
  }

  function schedule(): void {
    if (leaving || waiting.length === 0 || !mayLeave()) return
    leaving = true
    process.nextTick(leave)
  }

  function mayLeave(): boolean {
    if (underWay === 0) return true
    if (!beside || underWay >= beside.batchesMax) return false
    const leftMs = leftAt + beside.afterMs - performance.now()
    if (leftMs <= 0) return true
    if (!besideTimer) besideTimer = setTimeout(lookAgain, Math.ceil(leftMs))
    return false
  }

  function lookAgain(): void {
    besideTimer = undefined
    schedule()
  }

  function leave(): void {
    leaving = false
    void commit(takeBatch())
  }

  async function commit(batch: readonly Waiting[]): Promise<void> {
    if (batch.length === 0) return
    underWay++
    answering += batch.length
    leftAt = performance.now()
    // More than one batch may wait.
    schedule()
    try {
      const outcomes = await runBatch(batch.map(({ calls }) => calls))
      onCommitted(committedOf(batch, outcomes))
      for (const [index, unit] of batch.entries()) settle(unit, outcomes[index])
    } catch (error) {
      for (const unit of batch) unit.reject(error instanceof Error ? error : new Error(String(error)))
    } finally {
      underWay--
      answering -= batch.length
      schedule()
      settleDrain()
    }
  }

  function takeBatch(): Waiting[] {
    let rows = 0
    const full = waiting.findIndex((unit, index) => {
      rows += unit.rows
      return index > 0 && (index >= batchUnits || rows > batchRows)
    })
    return waiting.splice(0, full < 0 ? waiting.length : full)
  }

  function rejectLate(before: number): number {
    const inTime = waiting.findIndex(({ since }) => since > before)
    const late = waiting.splice(0, inTime < 0 ? waiting.length : inTime)
    const unavailable = new StoreUnavailable('not_stored', new Error('The write waited too long for a connection.'))
    for (const { reject } of late) reject(unavailable)
    settleDrain()
    return waiting.length
  }

  function settleDrain(): void {
    if (waiting.length + answering === 0) for (const resolve of drained.splice(0)) resolve()
  }
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
