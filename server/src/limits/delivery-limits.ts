/** The part of the limit that slow webhooks may use together. */
const slowShare = 0.25
/** The part that one account may use: twenty receivers that hang at once must leave room for other accounts. */
const accountShare = 0.75

type Held = { readonly account: string; readonly startedMs: number }

export type DeliveryConcurrency = {
  /** Whether one more request may start now. */
  isFree(): boolean
  /** Whether the account has reached its share. */
  isShareTaken(account: string): boolean
  slowIsFull(): boolean
  take(id: string, account: string, slow: boolean): void
  /** Returns the class that has room now. */
  give(id: string): 'quick' | 'slow'
  /** Milliseconds until a hanging request makes room for another; null if none is running. */
  nextInMs(): number | null
}

/**
 * The concurrency limit of requests to webhooks. Slow webhooks share a quarter of it. A request that hangs for `slowMs`
 * counts as slow, whatever its webhook was before, and makes room for others: receivers of many accounts that fall silent
 * in the same moment delay the rest by `slowMs` and not by a time-out. As many again may hang, no more.
 */
export function createDeliveryConcurrency(max: number, slowMs: number): DeliveryConcurrency {
  const quick = new Map<string, Held>()
  const slow = new Map<string, Held>()
  const byAccount = createShares(max)
  const slowMax = Math.max(1, Math.floor(max * slowShare))

  /** Those started first come first. */
  function moveHanging(): void {
    const before = performance.now() - slowMs
    for (const [id, held] of quick) {
      if (held.startedMs > before) return
      quick.delete(id)
      byAccount.give(held.account)
      slow.set(id, held)
    }
  }

  function give(id: string): 'quick' | 'slow' {
    const held = quick.get(id)
    if (!held) {
      slow.delete(id)
      return 'slow'
    }
    quick.delete(id)
    byAccount.give(held.account)
    return 'quick'
  }

  return {
    isFree() {
      moveHanging()
      return quick.size < max && quick.size + slow.size < max * 2
    },
    isShareTaken: byAccount.isFull,
    slowIsFull() {
      moveHanging()
      return slow.size >= slowMax
    },
    take(id, account, isSlow) {
      // A delivery that was lost and claimed again counts once.
      give(id)
      const held = { account, startedMs: performance.now() }
      if (isSlow) slow.set(id, held)
      else {
        quick.set(id, held)
        byAccount.take(account)
      }
    },
    give,
    nextInMs() {
      const [oldest] = quick.values()
      return oldest ? Math.max(0, oldest.startedMs + slowMs - performance.now()) : null
    },
  }
}

export type Shares = {
  /** The account's remaining share. */
  left(account: string): number
  isFull(account: string): boolean
  take(account: string): void
  give(account: string): void
}

/** Counts by account; none may use more than three quarters. */
export function createShares(max: number): Shares {
  const held = new Map<string, number>()
  const most = Math.max(1, Math.floor(max * accountShare))
  const left = (account: string) => Math.max(0, most - (held.get(account) ?? 0))
  return {
    left,
    isFull: (account) => left(account) === 0,
    take: (account) => void held.set(account, (held.get(account) ?? 0) + 1),
    give(account) {
      const count = (held.get(account) ?? 0) - 1
      if (count > 0) held.set(account, count)
      else held.delete(account)
    },
  }
}

/** The starts that the `max_per_second` of a webhook allows; unused ones add up for one second. */
export class StartRate {
  #perSecond: number | null = null
  #left = 0
  #countedAt = 0

  follow(perSecond: number | null): void {
    this.#perSecond = perSecond
  }

  left(now: number): number {
    const perSecond = this.#perSecond
    if (perSecond === null) return Number.POSITIVE_INFINITY
    const earned = (Math.max(0, now - this.#countedAt) / 1_000) * perSecond
    this.#left = Math.min(Math.max(perSecond, 1), this.#left + earned)
    this.#countedAt = now
    return this.#left
  }

  /** False when none is left. */
  take(now: number): boolean {
    if (this.left(now) < 1) return false
    if (this.#perSecond !== null) this.#left -= 1
    return true
  }

  /** Milliseconds until the next start; 0 if one is left. */
  nextInMs(now: number): number {
    if (this.#perSecond === null) return 0
    return Math.max(0, Math.ceil(((1 - this.left(now)) / this.#perSecond) * 1_000))
  }
}
