/** Where a change of this kind can be heard of. */
export type Signal = (listener: () => void) => () => void

const pollMs = 100

/**
 * Asks again after every signal, and every 100 ms in case one was lost, until there is an answer or the time is over.
 * Real time, not the clock of the domain: a client is waiting at the other end of a connection.
 */
export async function waitUntil<T>(
  signal: Signal,
  ask: () => Promise<T | null>,
  deadlineMs: number,
): Promise<T | null> {
  const end = performance.now() + deadlineMs
  for (;;) {
    const answer = await ask()
    const left = end - performance.now()
    if (answer !== null || left <= 0) return answer
    await new Promise<void>((resolve) => {
      const done = () => {
        stop()
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(done, Math.min(pollMs, left))
      const stop = signal(done)
    })
  }
}
