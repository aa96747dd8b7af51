import type { Runtime } from '../../runtime.ts'
import { insertRequests, type RequestLogRow } from '../../store/accounts/request-log.ts'
import { Unit } from '../../store/engine/unit.ts'

export type RequestRecorder = {
  /** Returns at once; the row is on disk some 25 ms later. */
  record(row: RequestLogRow): void
  close(): Promise<void>
}

const gatherMs = 25
// Rows that no database takes are dropped rather than held: this is a convenience for people, not a promise.
const waitingMax = 10_000

/** Gathers the rows of the request log for a moment, so that a busy second costs 40 small writes and not thousands. */
export function createRequestRecorder(rt: Runtime): RequestRecorder {
  let waiting: RequestLogRow[] = []
  let timer: NodeJS.Timeout | undefined
  /** Ends when everything handed in before is on disk. */
  let written: Promise<unknown> = Promise.resolve()

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const unit = new Unit()
    unit.add(insertRequests, ...waiting)
    waiting = []
    const write = rt.store.tally(unit).catch((error: unknown) => {
      rt.log.warn({ err: error }, 'request_log.not_written')
    })
    written = Promise.all([written, write]).then(() => {})
  }

  return {
    record(row) {
      if (waiting.length >= waitingMax) return
      waiting.push(row)
      timer ??= setTimeout(flush, gatherMs)
    },
    async close() {
      flush()
      await written
    },
  }
}
