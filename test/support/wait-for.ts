import { setTimeout as delay } from 'node:timers/promises'

const pauseMsMax = 25

/**
 * Resolves when `predicate` comes true; fails after `deadlineMs`. The one way tests wait for something to happen. What is
 * true at once costs nothing, and a machine that does ten other things needs patience. Most predicates are requests: asked
 * every 5 ms they would take the processor from what they wait for, so the pauses grow.
 */
export async function waitFor(predicate: () => boolean | Promise<boolean>, deadlineMs = 20_000): Promise<void> {
  const end = performance.now() + deadlineMs
  for (let pauseMs = 5; !(await predicate()); pauseMs = Math.min(pauseMs * 1.3, pauseMsMax)) {
    if (performance.now() > end) throw new Error(`not true within ${deadlineMs} ms: ${predicate}`)
    await delay(pauseMs)
  }
}
