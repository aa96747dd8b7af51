import { watchWaiting } from '../engine/probe.ts'
import { StoreUnavailable } from '../engine/store-error.ts'
import type { ReaderReply, WireValue, ZeroRequest } from './sqlite-failure.ts'
import type { SqliteThread } from './sqlite-thread.ts'

type List = { text: string; values: WireValue[] }
type Zeroing = { zero: ZeroRequest['zero'] }

type SqliteReader = {
  /** `owner` is the account that asks; '' for what the gateway asks for itself. */
  read(list: List, owner: string): Promise<ReaderReply>
  /** Runs when no list does, however long that takes. */
  readAlone(question: List | Zeroing): Promise<ReaderReply>
  stop(): Promise<void>
}

type Thread = SqliteThread<ReaderReply>
type Options = { start: () => Promise<Thread>; limitMs?: number; slowMs?: number }
type Asked = {
  question: List | Zeroing
  owner: string
  since: number
  resolve(reply: ReaderReply): void
  reject(error: unknown): void
}
type Place = { thread: Promise<Thread>; busy: { owner: string; since: number } | null }

/** As long as a list may take on PostgreSQL. */
const listLimitMs = 8_000
/** A thread that is busy for longer gets company, if others wait. Pages take a few milliseconds. */
const slowListMs = 250
const threadsMax = 3

/**
 * Lists in fair turns: accounts follow one another, and each has one list under way. A list that takes long is left behind
 * on its thread while another thread serves the other accounts. Node.js cannot interrupt a statement of SQLite: after 8 s its
 * caller is answered, but its thread and the turn of its account come back when it ends.
 */
export function createSqliteReader({ start, limitMs = listLimitMs, slowMs = slowListMs }: Options): SqliteReader {
  const places: Place[] = []
  const waiting = new Map<string, Asked[]>()
  const alone: Asked[] = []
  let lookAgain: NodeJS.Timeout | null = null
  let closed = false
  const watch = watchWaiting(dropLate, limitMs)

  return {
    read: (list, owner) => add(list, owner, (asked) => waiting.set(owner, [...(waiting.get(owner) ?? []), asked])),
    readAlone: (question) => add(question, '', (asked) => alone.push(asked)),
    async stop() {
      closed = true
      if (lookAgain) clearTimeout(lookAgain)
      for (const asked of [...alone.splice(0), ...[...waiting.values()].flat()]) asked.reject(unavailable(whenClosed))
      waiting.clear()
      await Promise.all(places.map(({ thread }) => thread.then((live) => live.stop()).catch(() => {})))
    },
  }

  function add(question: List | Zeroing, owner: string, enqueue: (asked: Asked) => void): Promise<ReaderReply> {
    if (closed) return Promise.reject(unavailable(whenClosed))
    return new Promise((resolve, reject) => {
      enqueue({ question, owner, since: performance.now(), resolve, reject })
      watch()
      next()
    })
  }

  function next(): void {
    const busy = places.filter((place) => place.busy)
    const [first] = alone
    if (first) {
      if (busy.length > 0) return
      alone.shift()
      void run(places[0] ?? openPlace(), first, Number.POSITIVE_INFINITY)
      return
    }
    const owner = [...waiting.keys()].find((key) => !busy.some((place) => place.busy?.owner === key))
    if (owner === undefined) return
    const place = places.find((one) => !one.busy) ?? (mayOpen(busy) ? openPlace() : null)
    if (!place) return
    void run(place, takeFrom(owner), limitMs)
    next()
  }

  /** Only where every list under way takes long; when that may be so, this looks again. */
  function mayOpen(busy: readonly Place[]): boolean {
    if (places.length >= threadsMax) return false
    const youngest = Math.max(0, ...busy.map((place) => place.busy?.since ?? 0))
    const leftMs = busy.length === 0 ? 0 : youngest + slowMs - performance.now()
    if (leftMs <= 0) return true
    lookAgain ??= setTimeout(() => {
      lookAgain = null
      next()
    }, leftMs).unref()
    return false
  }

  function openPlace(): Place {
    const place: Place = { thread: start(), busy: null }
    places.push(place)
    place.thread.catch(() => places.splice(places.indexOf(place), 1))
    return place
  }

  function takeFrom(owner: string): Asked {
    const [asked, ...rest] = waiting.get(owner) ?? []
    if (!asked) throw new Error('Nobody waits for a turn.')
    if (rest.length > 0) waiting.set(owner, rest)
    else waiting.delete(owner)
    return asked
  }

  /** An owner that had a turn queues behind the others. */
  function endTurn(owner: string): void {
    const more = waiting.get(owner)
    waiting.delete(owner)
    if (more) waiting.set(owner, more)
  }

  async function run(place: Place, { owner, question, resolve, reject }: Asked, withinMs: number): Promise<void> {
    place.busy = { owner, since: performance.now() }
    const giveUp = () => reject(unavailable(`A list took longer than ${limitMs} ms.`))
    const timer = Number.isFinite(withinMs) ? setTimeout(giveUp, withinMs).unref() : undefined
    try {
      const thread = await place.thread.catch((error: unknown) => {
        throw new StoreUnavailable('not_stored', error)
      })
      resolve(await thread.ask(question))
    } catch (error) {
      reject(error)
    } finally {
      clearTimeout(timer)
      place.busy = null
      endTurn(owner)
      if (!closed) next()
    }
  }

  function dropLate(before: number): number {
    let left = 0
    for (const [owner, lists] of waiting) {
      const inTime = lists.filter(({ since }) => since > before)
      for (const asked of lists)
        if (asked.since <= before) asked.reject(unavailable('A list waited too long in the queue.'))
      if (inTime.length > 0) waiting.set(owner, inTime)
      else waiting.delete(owner)
      left += inTime.length
    }
    return left
  }
}

const whenClosed = 'The store is closed.'

function unavailable(reason: string): StoreUnavailable {
  return new StoreUnavailable('not_stored', new Error(reason))
}
