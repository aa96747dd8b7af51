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
  const slots = new Map<number, Set<() => void>>()
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
      const slot = slots.get(index) ?? new Set()
      slots.set(index, slot)
      // Wrapped, so that one function may wait for two deadlines in the same slot.
      const entry = () => onExpired()
      slot.add(entry)
      return { cancel: () => void slot.delete(entry) }
    },
    close() {
      stop()
      slots.clear()
    },
  }
}

/** A process that stood still reads first what arrived meanwhile: the answer may be among it, and cancel its deadline. */
function expireAfterPoll(due: ReadonlySet<() => void>): void {
  setImmediate(() => {
    for (const onExpired of due) onExpired()
  })
}
