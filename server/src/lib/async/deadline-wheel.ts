/** A pending deadline; `cancel` is idempotent and does nothing once it has fired. */
export type Deadline = { cancel(): void }

export type DeadlineWheel = {
  /** Calls `onExpired` no earlier than `afterMs` from now, and at most about one slot later. */
  start(afterMs: number, onExpired: () => void): Deadline
  close(): void
}

/**
 * One timer for all deadlines. A timer or abort signal per request costs about a third of a delivery's CPU, and
 * deadlines of seconds can afford slots of 100 ms. The timer runs only while a deadline is pending and never keeps the
 * process alive.
 */
export function createDeadlineWheel({ slotMs = 100 } = {}): DeadlineWheel {
  const slots = new Map<number, Set<Entry>>()
  let timer: NodeJS.Timeout | undefined
  let nextSlot = 0

  const slotAt = (ms: number) => Math.ceil(ms / slotMs)
  const tick = () => {
    const current = Math.floor(performance.now() / slotMs)
    // A blocked event loop skips ticks: every slot that has passed is emptied, oldest first.
    for (; nextSlot <= current; nextSlot += 1) {
      const due = slots.get(nextSlot)
      slots.delete(nextSlot)
      if (due) expireAfterPoll(due)
    }
    if (slots.size === 0) stop()
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  const ensureRunning = () => {
    if (timer) return
    nextSlot = Math.floor(performance.now() / slotMs)
    timer = setInterval(tick, slotMs)
    timer.unref()
  }
  return {
    start(afterMs, onExpired) {
      ensureRunning()
      const index = Math.max(slotAt(performance.now() + afterMs), nextSlot)
      let slot = slots.get(index)
      if (!slot) {
        slot = new Set()
        slots.set(index, slot)
      }
      const entry = new Entry(slot, onExpired)
      slot.add(entry)
      return entry
    },
    close() {
      stop()
      slots.clear()
    },
  }
}

/** An object of its own, so that one function may wait for two deadlines in the same slot. */
class Entry implements Deadline {
  readonly #slot: Set<Entry>
  readonly onExpired: () => void

  constructor(slot: Set<Entry>, onExpired: () => void) {
    this.#slot = slot
    this.onExpired = onExpired
  }

  cancel(): void {
    this.#slot.delete(this)
  }
}

/** A process that stood still reads first what arrived meanwhile: the answer may be among it, and cancel its deadline. */
function expireAfterPoll(due: ReadonlySet<Entry>): void {
  setImmediate(() => {
    for (const { onExpired } of due) onExpired()
  })
}
