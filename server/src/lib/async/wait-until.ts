import { timedOut, withTimeout } from './with-timeout.ts'

/** Where a change of this kind can be heard of. */
export type Signal = (listener: () => void) => () => void

const pollMs = 100

/**
 * Asks again after every signal, and every 100 ms in case one was lost, until there is an answer or the time is over; a question
 * that takes longer than that is not waited for. Real time, not the clock of the domain: a client is waiting at the other end of
 * a connection.
 */
export async function waitUntil<T>(
  signal: Signal,
  ask: () => Promise<T | null>,
  deadlineMs: number,
): Promise<T | null> {
  const end = performance.now() + deadlineMs
  const leftMs = () => end - performance.now()
  do {
    const answer = await withTimeout(ask(), leftMs())
    if (answer === timedOut) return null
    if (answer !== null) return answer
    await heard(signal, Math.min(pollMs, leftMs()))
  } while (leftMs() > 0)
  return null
}

function heard(signal: Signal, waitMaxMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, waitMaxMs)
    const stop = signal(done)
  })
}
