export type RowWindow = {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** The room that rows before and after the window would take. */
  readonly beforePx: number
  readonly afterPx: number
}

/** The rows that lie between two heights of a list, and how much room the others take. */
export function rowWindow(heightsPx: readonly number[], fromPx: number, toPx: number): RowWindow {
  let start = 0
  let beforePx = 0
  while (start < heightsPx.length && beforePx + (heightsPx[start] ?? 0) <= fromPx) {
    beforePx += heightsPx[start] ?? 0
    start += 1
  }
  let end = start
  let reachedPx = beforePx
  while (end < heightsPx.length && reachedPx < toPx) {
    reachedPx += heightsPx[end] ?? 0
    end += 1
  }
  return { start, end, beforePx, afterPx: sum(heightsPx, end) }
}

/** What was not measured yet is taken to be as high as the others are on average. */
export function heightsOf(ids: readonly string[], known: ReadonlyMap<string, number>, guessPx: number): number[] {
  const measured = ids.flatMap((id) => known.get(id) ?? [])
  const averagePx = measured.length > 0 ? sum(measured, 0) / measured.length : guessPx
  return ids.map((id) => known.get(id) ?? averagePx)
}

function sum(values: readonly number[], from: number): number {
  let total = 0
  for (let index = from; index < values.length; index += 1) total += values[index] ?? 0
  return total
}
