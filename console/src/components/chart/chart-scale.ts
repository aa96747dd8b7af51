/** A round number at or above the largest value, so that the axis has few and plain marks. */
export function niceMax(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  // The mark in the middle is round too: half of 5 is, as soon as it is 50.
  const factors = power < 10 ? [1, 2, 4, 6, 8] : [1, 2, 3, 4, 5, 6, 8]
  const step = factors.find((factor) => factor * power >= value) ?? 10
  return Math.max(1, step * power)
}

export function niceTicks(max: number): number[] {
  return max <= 2 ? [0, max] : [0, max / 2, max]
}
