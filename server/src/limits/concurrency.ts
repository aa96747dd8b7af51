import { AppError } from '../contract/app-error.ts'
import type { Store } from '../store/engine/store.ts'
import { countWaiting } from '../store/messages/waiting.ts'

/**
 * What runs at once: of each key at most so many, with a wait that ends (sends of a number, transfers and passwords of an
 * account), or so many in all and of each account, in rotation (callbacks).
 */
export type Release = () => void

export type ConcurrencyLimiter = {
  /** Enters, at most `max` at once for a key, waiting if need be; null when none leaves in time. */
  acquire(key: string, max: number, waitMaxMs: number): Promise<Release | null>
  /** Running work over all keys, and the number of keys at their limit. */
  look(): { running: number; full: number }
}

type Waiter = { enter(): void }
type Queue = { running: number; max: number; readonly waiting: Set<Waiter> }

/** Bounds what runs at once by key, so that a slow one uses up nothing but its own limit. First come, first served. */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const queues = new Map<string, Queue>()

  function leave(key: string, queue: Queue): void {
    queue.running--
    admit(queue)
    if (queue.running === 0) queues.delete(key)
  }

  function releaseOf(key: string, queue: Queue): Release {
    let held = true
    return () => {
      if (held) leave(key, queue)
      held = false
    }
  }

  return {
    async acquire(key, max, waitMaxMs) {
      const queue = queues.get(key) ?? { running: 0, max, waiting: new Set() }
      queues.set(key, queue)
      queue.max = max
      admit(queue)
      if (queue.running < max) queue.running++
      else if (!(await entered(queue, waitMaxMs))) return null
      return releaseOf(key, queue)
    },
    look() {
      const all = [...queues.values()]
      return {
        running: all.reduce((sum, { running }) => sum + running, 0),
        full: all.filter(({ running, max }) => running >= max).length,
      }
    },
  }
}

/** Lets in who waits, first come, first served: several at once where the limit was raised. */
function admit(queue: Queue): void {
  for (const waiter of queue.waiting) {
    if (queue.running >= queue.max) return
    waiter.enter()
  }
}

function entered(queue: Queue, waitMaxMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasEntered: boolean) => {
      clearTimeout(timer)
      queue.waiting.delete(waiter)
      resolve(hasEntered)
    }
    const waiter: Waiter = {
      enter() {
        queue.running++
        end(true)
      },
    }
    const timer = setTimeout(end, Math.max(0, waitMaxMs), false)
    queue.waiting.add(waiter)
  })
}

type AccountQueue = { taken: number; readonly waiting: (() => void)[] }

type CallbackLimits = { total: number; perAccount: number; waitingPerAccount: number }

/**
 * A concurrency limit of callbacks, in all and per account, with a short queue per account. Accounts that wait are served
 * in rotation, so that a busy one delays nobody but itself.
 */
export class CallbackConcurrency {
  readonly #limits: CallbackLimits
  readonly #queues = new Map<string, AccountQueue>()
  #taken = 0

  constructor(limits: CallbackLimits) {
    this.#limits = limits
  }

  /** Resolves with a release function when the limit allows; null at once when too many wait already. */
  async enter(accountId: string): Promise<(() => void) | null> {
    const queue = this.#queues.get(accountId) ?? { taken: 0, waiting: [] }
    this.#queues.set(accountId, queue)
    if (this.#hasRoom(queue)) this.#take(queue)
    else if (queue.waiting.length >= this.#limits.waitingPerAccount) return null
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    return () => this.#leave(accountId, queue)
  }

  #hasRoom(queue: AccountQueue): boolean {
    return this.#taken < this.#limits.total && queue.taken < this.#limits.perAccount
  }

  #take(queue: AccountQueue): void {
    this.#taken++
    queue.taken++
  }

  #leave(accountId: string, queue: AccountQueue): void {
    this.#taken--
    queue.taken--
    if (queue.taken === 0 && queue.waiting.length === 0) this.#queues.delete(accountId)
    for (const [id, next] of this.#queues) {
      if (next.waiting.length === 0 || !this.#hasRoom(next)) continue
      this.#take(next)
      // To the end of the rotation.
      this.#queues.delete(id)
      this.#queues.set(id, next)
      next.waiting.shift()?.()
      return
    }
  }
}

export type WaitingRoom = {
  /** Makes room for one more message of the account, or refuses it. */
  enter(accountId: string, max: number): Promise<void>
}

/** A count of a million takes a tenth of a second: it is made again once the time it took is a fiftieth of its age. */
const trustedMs = { min: 1_000, perMs: 50 }
const accountsMax = 10_000

type Count = { count: number; trustedUntil: number }

/** What waits is counted now and then, and what this process accepts is added: a few more than allowed do no harm. */
export function createWaitingRoom({ store }: { store: Pick<Store, 'read'> }): WaitingRoom {
  const counts = new Map<string, Count>()

  async function countOf(accountId: string): Promise<Count> {
    const startedMs = performance.now()
    const known = counts.get(accountId)
    if (known && known.trustedUntil > startedMs) return known
    const [row] = await store.read(countWaiting, { account_id: accountId })
    const endedMs = performance.now()
    const trustedUntil = endedMs + Math.max(trustedMs.min, (endedMs - startedMs) * trustedMs.perMs)
    const counted = { count: row?.count ?? 0, trustedUntil }
    if (counts.size >= accountsMax) counts.clear()
    counts.set(accountId, counted)
    return counted
  }

  return {
    async enter(accountId, max) {
      const known = await countOf(accountId)
      if (known.count >= max) {
        const sentence = `${max.toLocaleString('en')} messages wait to be sent, as many as the plan allows.`
        throw new AppError('queue_full', sentence, { retryAfterSeconds: 60 })
      }
      known.count++
    },
  }
}
