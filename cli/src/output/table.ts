/** Rows for people: columns as wide as their longest value. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return growingTable()([head, ...rows]).join('')
}

/** The same for rows that keep coming: a column is as wide as its longest value so far. */
export function growingTable(): (rows: readonly (readonly string[])[]) => string[] {
  const widths: number[] = []
  return (rows) => {
    for (const [column, cell] of rows.flatMap((row) => [...row.entries()])) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    }
    const line = (cells: readonly string[]) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    return rows.map((cells) => `${line(cells)}\n`)
  }
}

/** Names and values, one pair per line. */
export function pairs(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join('')
}
