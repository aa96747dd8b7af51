export type Cell = string | number | boolean | null

/**
 * One line of a CSV file (RFC 4180). Programs for spreadsheets run a cell that begins like a formula, and customers
 * choose what they are called: such a cell gets an apostrophe, which those programs take as "this is text". So does what
 * begins like a formula after a separator: where the list separator is a semicolon, these programs end cells there, and no
 * quotes keep them from it.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(toField).join(',')}\r\n`
}

function toField(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const harmless = cell.replace(/^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;|\t\r\n])(?=[=+\-@＝＋－＠])/g, "'")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A cell of a file that `csvLine` wrote, as it was before. */
export function plainCell(cell: string): string {
  if (!cell.includes("'")) return cell
  return cell.replace(/(?<=^|[;|\t\r\n])'(?=[=+\-@\t\r\n＝＋－＠])/g, '')
}
