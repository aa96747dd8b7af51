/**
 * When a delivery is tried again after its `step`-th failure (from 1), or null when the schedule is used up. A tenth
 * more or less, so that what failed together does not return together. `chance` is 0 to 1.
 */
export function nextAttemptAt(
  scheduleMs: readonly number[],
  step: number,
  { now, chance }: { now: number; chance: number },
): number | null {
  const delayMs = scheduleMs[step]
  return delayMs === undefined ? null : now + Math.round(delayMs * (0.9 + chance * 0.2))
}
