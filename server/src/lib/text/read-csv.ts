/** A row of a CSV file; `line` is where it begins in the file, counted from 1. */
export type CsvRow = { line: number; cells: string[] }
export type CsvFile = { rows: CsvRow[] /** Where a quote was opened that is never closed. */; openQuote: number | null }

const separators = [',', ';', '\t'] as const

/**
 * A file of a few hundred rows, as spreadsheets write it: with or without a byte order mark, separated by commas, semicolons or
 * tabs. Quoted cells may contain line breaks and separators. Rows without any text are left out.
 */
export function readCsv(text: string): CsvFile {
  const input = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(input)
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, cells: [] }
  let line = 1
  let at = 0
  const endRow = () => {
    if (row.cells.some((cell) => cell !== '')) rows.push(row)
    row = { line, cells: [] }
  }
  while (at < input.length) {
    const cell = input[at] === '"' ? quotedCell(input, at) : plainCell(input, at, separator)
    if (cell === null) return { rows, openQuote: line }
    row.cells.push(cell.text.trim())
    line += cell.text.split('\n').length - 1
    // What stands between a closing quote and the separator belongs to nothing.
    at = endOfCell(input, cell.end, separator)
    if (input[at] === separator) {
      at++
      if (at === input.length) row.cells.push('')
      continue
    }
    if (input[at] === '\r') at++
    if (input[at] === '\n') at++
    line++
    endRow()
  }
  endRow()
  return { rows, openQuote: null }
}

/** The separator that the file uses most. */
function separatorOf(text: string): string {
  const counts = separators.map((one) => [one, text.split(one).length] as const)
  return counts.reduce((best, other) => (other[1] > best[1] ? other : best))[0]
}

type Cell = { text: string; end: number }

function quotedCell(input: string, from: number): Cell | null {
  let text = ''
  for (let at = from + 1; ; ) {
    const quote = input.indexOf('"', at)
    if (quote < 0) return null
    text += input.slice(at, quote)
    if (input[quote + 1] !== '"') return { text, end: quote + 1 }
    text += '"'
    at = quote + 2
  }
}

function plainCell(input: string, from: number, separator: string): Cell {
  const end = endOfCell(input, from, separator)
  return { text: input.slice(from, end), end }
}

function endOfCell(input: string, from: number, separator: string): number {
  let at = from
  while (at < input.length && input[at] !== separator && input[at] !== '\r' && input[at] !== '\n') at++
  return at
}
