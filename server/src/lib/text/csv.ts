export type Cell = string | number | boolean | null

/**
 * One line of a CSV file (RFC 4180). Programs for spreadsheets run a cell that begins like a formula, and customers
 * choose what they are called: such a cell gets an apostrophe, which those programs take as "this is text".
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(toField).join(',')}\r\n`
}

function toField(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
