/**
 * Delivery latencies, as counts in fixed buckets. Fixed, because histograms of any quarter hours, templates and
 * accounts must add up to one. The last count is for everything slower than a day.
 */
export type LatencyHistogram = readonly number[]

/** Upper bounds in seconds. None is more than twice the one before, so a percentile is right within a factor of two. */
export const latencyBoundsSeconds = [
  0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 450, 600, 900, 1_200,
  1_800, 2_700, 3_600, 5_400, 7_200, 10_800, 14_400, 21_600, 28_800, 43_200, 64_800, 86_400,
] as const

export function emptyHistogram(): LatencyHistogram {
  return new Array<number>(latencyBoundsSeconds.length + 1).fill(0)
}

/** Index of the bucket a latency belongs to. The platform reports whole seconds, so a small negative one is zero. */
export function latencyBucketOf(seconds: number): number {
  const index = latencyBoundsSeconds.findIndex((bound) => seconds <= bound)
  return index === -1 ? latencyBoundsSeconds.length : index
}

/** Seconds below which the share (0 to 1) of deliveries stayed, interpolated, with two decimals; null when empty. */
export function percentile(histogram: LatencyHistogram, share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = Math.max(share * total, 1)
  let below = 0
  for (const [index, count] of histogram.entries()) {
    if (count > 0 && below + count >= rank) return interpolate(index, (rank - below) / count)
    below += count
  }
  return latencySecondsMax
}

const latencySecondsMax = latencyBoundsSeconds[latencyBoundsSeconds.length - 1] ?? 0

function interpolate(index: number, share: number): number {
  const upper = latencyBoundsSeconds[index] ?? latencySecondsMax
  const lower = index === 0 ? 0 : (latencyBoundsSeconds[index - 1] ?? latencySecondsMax)
  return Math.round((lower + share * (upper - lower)) * 100) / 100
}
