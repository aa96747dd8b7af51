/** A round number at or above the largest value, so that the axis has few and plain marks. */
export function niceMax(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10
  return Math.max(1, step * power)
}

export function niceTicks(max: number): number[] {
  return max <= 2 ? [0, max] : [0, max / 2, max]
}
