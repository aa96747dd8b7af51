import { inShortList } from './in-short-list.ts'

/** The result of `withTimeout` when the time runs out first. */
export const timedOut = Symbol('timed out')

/**
 * Resolves with the result of the work, or with `timedOut`. The work itself goes on: only its caller can cancel it. A
 * later failure of the work is never an unhandled rejection.
 */
export function withTimeout<T>(work: Promise<T>, waitMaxMs: number): Promise<T | typeof timedOut> {
  if (waitMaxMs === Number.POSITIVE_INFINITY) return work
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, inShortList(Math.max(0, waitMaxMs)), timedOut)
    const settle = <Outcome>(give: (outcome: Outcome) => void) => {
      return (outcome: Outcome) => {
        clearTimeout(timer)
        give(outcome)
      }
    }
    work.then(settle(resolve), settle(reject))
  })
}
