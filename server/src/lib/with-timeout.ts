/** What `withTimeout` gives when the time was over first. */
export const timedOut = Symbol('timed out')

/**
 * The result of the work, or `timedOut`. The work itself goes on; its later failure is the business of whoever started
 * it, and never an unhandled rejection.
 */
export async function withTimeout<T>(work: Promise<T>, waitMaxMs: number): Promise<T | typeof timedOut> {
  if (waitMaxMs === Number.POSITIVE_INFINITY) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, waitMaxMs), timedOut)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
