export type Release = () => void

export type ConcurrencyLimiter = {
  /** Enters, at most `max` at once for a key, waiting if need be; null when none leaves in time. */
  acquire(key: string, max: number, waitMaxMs: number): Promise<Release | null>
  /** What runs now, over all keys, and how many keys are at their limit. */
  look(): { running: number; full: number }
}

type Waiter = { max: number; enter(): void }
type Queue = { running: number; max: number; readonly waiting: Set<Waiter> }

/** Bounds what runs at once by key, so that a slow one uses up nothing but its own limit. First come, first served. */
export function createConcurrencyLimiter(): ConcurrencyLimiter {
  const queues = new Map<string, Queue>()

  function leave(key: string, queue: Queue): void {
    queue.running--
    const [next] = queue.waiting
    if (next && queue.running < next.max) next.enter()
    else if (queue.running === 0) queues.delete(key)
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
      if (queue.running < max && queue.waiting.size === 0) queue.running++
      else if (!(await entered(queue, max, waitMaxMs))) return null
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

function entered(queue: Queue, max: number, waitMaxMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasEntered: boolean) => {
      clearTimeout(timer)
      queue.waiting.delete(waiter)
      resolve(hasEntered)
    }
    const waiter: Waiter = {
      max,
      enter() {
        queue.running++
        end(true)
      },
    }
    const timer = setTimeout(end, Math.max(0, waitMaxMs), false)
    queue.waiting.add(waiter)
  })
}
