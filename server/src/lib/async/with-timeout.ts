/** The result of `withTimeout` when the time runs out first. */
export const timedOut = Symbol('timed out')

/**
 * Resolves with the result of the work, or with `timedOut`. The work itself goes on: only its caller can cancel it. A
 * later failure of the work is never an unhandled rejection.
 */
export async function withTimeout<T>(work: Promise<T>, waitMaxMs: number): Promise<T | typeof timedOut> {
  if (waitMaxMs === Number.POSITIVE_INFINITY) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, waitMaxMs), timedOut)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
