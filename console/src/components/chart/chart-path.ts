/** A gap is a gap: null draws nothing. */
export type Value = number | null

/** A line through the values. One that stands alone between gaps is a line of no length, which round ends make a dot. */
export function toPath(values: readonly Value[], x: (index: number) => number, y: (value: number) => number): string {
  let path = ''
  for (const [index, value] of values.entries()) {
    if (value === null) continue
    const point = `${x(index).toFixed(1)} ${y(value).toFixed(1)}`
    const isFirst = (values[index - 1] ?? null) === null
    const isAlone = isFirst && (values[index + 1] ?? null) === null
    path += isAlone ? `M${point}h0` : `${isFirst ? 'M' : 'L'}${point}`
  }
  return path
}
