/** The candidate nearest to `word`, or undefined when every one needs more than `distanceMax` edits. */
export function nearest(word: string, candidates: Iterable<string>, distanceMax: number): string | undefined {
  let best: string | undefined
  let bestDistance = distanceMax + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(word, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, deletions and replacements that turn one word into the other (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = cell(above, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, cell(above, column) + 1, cell(current, column - 1) + 1))
    }
    above = current
  }
  return cell(above, b.length)
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
