import { setTimeout as delay } from 'node:timers/promises'

/** Counts are per UTC hour: a burst across its end would pass more than one quota, and rightly. */
export async function notAtTheEndOfAnHour(): Promise<void> {
  const leftMs = 3_600_000 - (Date.now() % 3_600_000)
  if (leftMs < 20_000) await delay(leftMs + 100)
}

/** How often each answer was given. */
export function countOf(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
  return counts
}
