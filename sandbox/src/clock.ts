/**
 * The sandbox's time: the wall clock plus whatever a test wound it forward, and the work waiting for it.
 * Work is kept in buckets of 5 ms behind one timer, because three timers per message at 10,000 messages a second cost
 * more than the messages do.
 */
const TICK_MS = 5
const TIMER_MAX_MS = 1_000_000_000

type Task = () => void

export class Clock {
  readonly #wall: () => number
  readonly #buckets = new Map<number, Task[]>()
  #ticks: number[] = []
  #offsetMs = 0
  #timer: NodeJS.Timeout | undefined
  #timerTick = Number.POSITIVE_INFINITY
  #closed = false

  constructor(wall: () => number = Date.now) {
    this.#wall = wall
  }

  now(): number {
    return this.#wall() + this.#offsetMs
  }

  get offsetMs(): number {
    return this.#offsetMs
  }

  after(delayMs: number, task: Task): void {
    if (this.#closed) return
    const tick = Math.ceil((this.now() + Math.max(0, delayMs)) / TICK_MS) * TICK_MS
    const bucket = this.#buckets.get(tick)
    if (bucket) {
      bucket.push(task)
      return
    }
    this.#buckets.set(tick, [task])
    this.#insert(tick)
    if (tick < this.#timerTick) this.#arm()
  }

  /** Winds the clock forward and does at once, in order, everything that falls due. */
  advance(ms: number): void {
    this.#offsetMs += ms
    this.#runDue()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#buckets.clear()
    this.#ticks = []
  }

  #insert(tick: number): void {
    let low = 0
    let high = this.#ticks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#ticks[middle] ?? 0) < tick) low = middle + 1
      else high = middle
    }
    this.#ticks.splice(low, 0, tick)
  }

  #arm(): void {
    clearTimeout(this.#timer)
    const tick = this.#ticks[0]
    this.#timerTick = tick ?? Number.POSITIVE_INFINITY
    if (tick === undefined || this.#closed) return
    const waitMs = Math.min(TIMER_MAX_MS, Math.max(0, tick - this.now()))
    this.#timer = setTimeout(() => this.#runDue(), waitMs)
  }

  #runDue(): void {
    const now = this.now()
    try {
      for (let tick = this.#ticks[0]; tick !== undefined && tick <= now; tick = this.#ticks[0]) {
        this.#ticks.shift()
        const tasks = this.#buckets.get(tick) ?? []
        this.#buckets.delete(tick)
        this.#runAll(tasks)
      }
    } finally {
      this.#arm()
    }
  }

  /** A task that throws ends the turn; what was due beside it is done in the next one. */
  #runAll(tasks: readonly Task[]): void {
    for (const [index, task] of tasks.entries()) {
      try {
        task()
      } catch (error) {
        for (const left of tasks.slice(index + 1)) this.after(0, left)
        throw error
      }
    }
  }
}
