type AccountQueue = { taken: number; readonly waiting: (() => void)[] }

export type CallbackLimits = { total: number; perAccount: number; waitingPerAccount: number }

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
