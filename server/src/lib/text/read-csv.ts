/** A record of a CSV file, with the line it begins in. */
export type CsvRecord = { line: number; cells: string[] }

/** Why a text is not a CSV file that can be read. */
export class CsvProblem extends Error {
  override readonly name = 'CsvProblem'
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const separators = [',', ';', '\t'] as const
type Separator = (typeof separators)[number]

const recordCharsMax = 65_536
const quoteCode = 34

/**
 * Reads CSV (RFC 4180) piece by piece: lines end with CRLF or LF, quoted cells may hold line breaks, quotes are doubled in
 * them. The separator is the one of comma, semicolon and tab that the first record has most of. Empty lines are no records.
 */
export class CsvReader {
  #rest = ''
  #line = 1
  #separator: Separator | null

  constructor(separator: Separator | null = null) {
    this.#separator = separator
  }

  /** The records that are complete with this piece. */
  read(piece: string): CsvRecord[] {
    const records: CsvRecord[] = []
    const text = this.#rest + piece
    let start = 0
    // Looked for once, not in every record.
    let quote = text.indexOf('"')
    for (;;) {
      if (quote !== -1 && quote < start) quote = text.indexOf('"', start)
      const end = endOf(text, start, quote)
      if (end === -1) break
      this.#add(records, text.slice(start, end))
      start = end + 1
    }
    this.#rest = text.slice(start)
    if (this.#rest.length > recordCharsMax)
      throw this.#problem('This record is longer than 64 KiB. Is a quote missing?')
    return records
  }

  /** The last record, which may end without a line break. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = []
    const last = this.#rest
    this.#rest = ''
    if (isInQuotes(last, 0, last.length)) throw this.#problem('A quoted cell begins here and never ends.')
    this.#add(records, last)
    return records
  }

  #add(records: CsvRecord[], raw: string): void {
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const line = this.#line
    this.#line++
    if (!text.includes('"')) {
      if (text.trim() !== '') records.push({ line, cells: text.split(this.#separatorOf(text)) })
      return
    }
    for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) this.#line++
    records.push({ line, cells: this.#quoted(text, this.#separatorOf(text), line) })
  }

  #separatorOf(text: string): Separator {
    if (this.#separator) return this.#separator
    this.#separator = mostUsed(text)
    return this.#separator
  }

  #quoted(text: string, separator: string, line: number): string[] {
    const cells: string[] = []
    for (let at = 0; ; ) {
      if (text[at] !== '"') {
        const end = text.indexOf(separator, at)
        cells.push(end === -1 ? text.slice(at) : text.slice(at, end))
        if (end === -1) return cells
        at = end + 1
        continue
      }
      let end = text.indexOf('"', at + 1)
      while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
      if (end === -1) throw new CsvProblem(line, 'A quoted cell of this line never ends.')
      cells.push(text.slice(at + 1, end).replaceAll('""', '"'))
      if (end + 1 === text.length) return cells
      if (text[end + 1] !== separator) {
        throw new CsvProblem(line, 'After the quote that ends a cell, a separator or the end of the line must follow.')
      }
      at = end + 2
    }
  }

  #problem(message: string): CsvProblem {
    return new CsvProblem(this.#line, message)
  }
}

/**
 * A file of a few hundred rows at once. Lines of text may stand above its table, so its separator is the one that all of it
 * has most of; rows of empty cells are none.
 */
export function readCsv(text: string): CsvRecord[] {
  const input = text.replace(/^\uFEFF/, '')
  const reader = new CsvReader(mostUsed(input))
  return [...reader.read(input), ...reader.end()]
    .map(({ line, cells }) => ({ line, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

function mostUsed(text: string): Separator {
  const bare = text.replace(/"(?:[^"]|"")*"/g, '')
  const counts = separators.map((separator) => bare.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The line break that ends the record; -1 where it is not complete yet. */
function endOf(text: string, start: number, quote: number): number {
  let end = text.indexOf('\n', start)
  if (end === -1 || quote === -1 || quote > end) return end
  for (let from = start, open = false; end !== -1; from = end, end = text.indexOf('\n', end + 1)) {
    if (isInQuotes(text, from, end)) open = !open
    if (!open) return end
  }
  return -1
}

/** Whether a stretch of text has an odd number of quotes. */
function isInQuotes(text: string, start: number, end: number): boolean {
  let odd = false
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === quoteCode) odd = !odd
  return odd
}
