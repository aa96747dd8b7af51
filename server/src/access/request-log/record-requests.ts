import type { Runtime } from '../../runtime.ts'
import { insertRequests, type RequestLogRow } from '../../store/accounts/request-log.ts'
import { unitOf } from '../../store/engine/unit.ts'
import { sandboxCalls } from './sandbox-calls.ts'

/** A call with its answer as the sandbox may keep them. */
export type Exchange = Pick<RequestLogRow, 'path' | 'body' | 'answer'>
type Logged = {
  row: RequestLogRow
  /** Null of a load. It holds on to all of its request. */
  exchange: (() => Exchange) | null
  from: string | null
}

export type RequestRecorder = {
  /**
   * Returns at once; the row is on disk a moment later. The exchange is asked for in the sandbox only; `from` is the number
   * the call names.
   */
  record(row: RequestLogRow, exchange: () => Exchange, from?: string | null): void
  close(): Promise<void>
}

/** A person who tries things sees each call at once; of a load, each write takes many. */
const gatherMs = { usual: 25, underLoad: 250 }
/** By then every node has written what it gathered. */
export const heldBackMs = 2 * gatherMs.underLoad
/** More than that in one write are a load, until there is a pause. */
const fewCalls = 4
const pauseMs = 1_000
// Rows that no database takes are dropped rather than held: this is a convenience for people, not a promise.
const waitingMax = 10_000
// A developer trying things makes few calls at a time; beyond that it is a load, whose answers are not read one by one.
const exchangesMax = 20

/** Gathers the rows of the request log for a moment, so that a busy second costs a few writes and not thousands. */
export function createRequestRecorder(rt: Runtime): RequestRecorder {
  let waiting: Logged[] = []
  let timer: NodeJS.Timeout | undefined
  let last = { atMs: 0, calls: 0 }
  /** Calls of an account among those that wait. */
  const callsOf = new Map<string, number>()
  /** Ends when everything handed in before is on disk. */
  let written: Promise<unknown> = Promise.resolve()

  function isLoad(): boolean {
    return last.calls > fewCalls && performance.now() - last.atMs < pauseMs
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    last = { atMs: performance.now(), calls: waiting.length }
    if (waiting.length === 0) return
    const write = save(waiting).catch((error: unknown) => {
      rt.log.warn({ err: error }, 'request_log.not_written')
    })
    waiting = []
    callsOf.clear()
    written = Promise.all([written, write]).then(() => {})
  }

  /** Asked now and not before the call: an account that connected a real number meanwhile has nothing kept. */
  async function save(logged: readonly Logged[]): Promise<void> {
    const callOf = ({ row, from }: Logged) => ({ accountId: row.account_id, from })
    const isSandbox = await sandboxCalls(rt, logged.filter(({ exchange }) => exchange !== null).map(callOf))
    const rows = logged.map((one) =>
      one.exchange && isSandbox(callOf(one)) ? { ...one.row, ...one.exchange() } : one.row,
    )
    await rt.store.tally(unitOf(insertRequests, ...rows))
  }

  return {
    record(row, exchange, from = null) {
      if (waiting.length >= waitingMax) return
      const nth = (callsOf.get(row.account_id) ?? 0) + 1
      callsOf.set(row.account_id, nth)
      waiting.push({ row, exchange: nth <= exchangesMax ? exchange : null, from })
      timer ??= setTimeout(flush, isLoad() ? gatherMs.underLoad : gatherMs.usual)
    },
    async close() {
      flush()
      await written
    },
  }
}
