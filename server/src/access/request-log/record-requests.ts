import type { Runtime } from '../../runtime.ts'
import { insertRequests, type RequestLogRow } from '../../store/accounts/request-log.ts'
import { Unit } from '../../store/engine/unit.ts'
import { sandboxCalls } from './sandbox-calls.ts'

/** A call with its answer as the sandbox may keep them. */
export type Exchange = Pick<RequestLogRow, 'path' | 'body' | 'answer'>
type Logged = { row: RequestLogRow; exchange: () => Exchange; from: string | null }

export type RequestRecorder = {
  /**
   * Returns at once; the row is on disk some 25 ms later. The exchange is asked for in the sandbox only; `from` is the
   * number the call names.
   */
  record(row: RequestLogRow, exchange: () => Exchange, from?: string | null): void
  close(): Promise<void>
}

const gatherMs = 25
// Rows that no database takes are dropped rather than held: this is a convenience for people, not a promise.
const waitingMax = 10_000
// A developer trying things makes few calls at a time; beyond that it is a load, whose answers are not read one by one.
const exchangesMax = 20

/** Gathers the rows of the request log for a moment, so that a busy second costs 40 small writes and not thousands. */
export function createRequestRecorder(rt: Runtime): RequestRecorder {
  let waiting: Logged[] = []
  let timer: NodeJS.Timeout | undefined
  /** Ends when everything handed in before is on disk. */
  let written: Promise<unknown> = Promise.resolve()

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const write = save(waiting).catch((error: unknown) => {
      rt.log.warn({ err: error }, 'request_log.not_written')
    })
    waiting = []
    written = Promise.all([written, write]).then(() => {})
  }

  /** Asked now and not before the call: an account that connected a real number meanwhile has nothing kept. */
  async function save(logged: readonly Logged[]): Promise<void> {
    const callOf = ({ row, from }: Logged) => ({ accountId: row.account_id, from })
    const isSandbox = await sandboxCalls(rt, logged.map(callOf))
    const unit = new Unit()
    let kept = 0
    const rows = logged.map((one) =>
      isSandbox(callOf(one)) && kept++ < exchangesMax ? { ...one.row, ...one.exchange() } : one.row,
    )
    unit.add(insertRequests, ...rows)
    await rt.store.tally(unit)
  }

  return {
    record(row, exchange, from = null) {
      if (waiting.length >= waitingMax) return
      waiting.push({ row, exchange, from })
      timer ??= setTimeout(flush, gatherMs)
    },
    async close() {
      flush()
      await written
    },
  }
}
