type Line = { taken: number; readonly waiting: (() => void)[] }

export type PlaceLimits = { total: number; perAccount: number; waitingPerAccount: number }

/**
 * Places for bodies in memory, a few of them for one account, and a short queue of each account in front of them. Free
 * places go round among the accounts that wait, so that a slow sender holds up nobody but itself.
 */
export class CallbackPlaces {
  readonly #limits: PlaceLimits
  readonly #lines = new Map<string, Line>()
  #taken = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Resolves when there is a place, with the way to leave it; null at once when too many wait already. */
  async enter(accountId: string): Promise<(() => void) | null> {
    const line = this.#lines.get(accountId) ?? { taken: 0, waiting: [] }
    this.#lines.set(accountId, line)
    if (this.#hasRoom(line)) this.#take(line)
    else if (line.waiting.length >= this.#limits.waitingPerAccount) return null
    else await new Promise<void>((resolve) => line.waiting.push(resolve))
    return () => this.#leave(accountId, line)
  }

  #hasRoom(line: Line): boolean {
    return this.#taken < this.#limits.total && line.taken < this.#limits.perAccount
  }

  #take(line: Line): void {
    this.#taken++
    line.taken++
  }

  #leave(accountId: string, line: Line): void {
    this.#taken--
    line.taken--
    if (line.taken === 0 && line.waiting.length === 0) this.#lines.delete(accountId)
    for (const [id, next] of this.#lines) {
      if (next.waiting.length === 0 || !this.#hasRoom(next)) continue
      this.#take(next)
      // To the end of the round.
      this.#lines.delete(id)
      this.#lines.set(id, next)
      next.waiting.shift()?.()
      return
    }
  }
}
