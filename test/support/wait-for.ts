import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when `predicate` comes true; fails after `deadlineMs`. The one way tests wait for something to happen. */
export async function waitFor(predicate: () => boolean | Promise<boolean>, deadlineMs = 5_000): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!(await predicate())) {
    if (performance.now() > end) throw new Error(`not true within ${deadlineMs} ms: ${predicate}`)
    await delay(5)
  }
}
