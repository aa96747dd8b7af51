import { setTimeout as delay } from 'node:timers/promises'

/**
 * Resolves when `predicate` comes true; fails after `deadlineMs`. The one way tests wait for something to happen. What is
 * true at once costs nothing, and a machine that does ten other things needs patience.
 */
export async function waitFor(predicate: () => boolean | Promise<boolean>, deadlineMs = 20_000): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!(await predicate())) {
    if (performance.now() > end) throw new Error(`not true within ${deadlineMs} ms: ${predicate}`)
    await delay(5)
  }
}
