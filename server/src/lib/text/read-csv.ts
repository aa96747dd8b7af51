/** A record of a CSV file, with the line it begins in, and why it cannot be read. */
export type CsvRecord = { line: number; cells: string[]; problem?: string }

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

/**
 * Reads CSV (RFC 4180) piece by piece: lines end with CRLF or LF, quoted cells may hold line breaks, quotes are doubled in
 * them. A quote within a cell that does not begin with one is a character like others. The separator is the one of comma,
 * semicolon and tab that the first record has most of. Empty lines are no records.
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
      const end = endOf(text, start, quote, this.#separator)
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
    if (endOf(`${last}\n`, 0, last.indexOf('"'), this.#separator) === -1)
      throw this.#problem('A quoted cell begins here and never ends.')
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
    const cells = quotedCells(text, this.#separatorOf(text))
    records.push(cells ? { line, cells } : { line, cells: [], problem: afterQuote })
  }

  #separatorOf(text: string): Separator {
    if (this.#separator) return this.#separator
    this.#separator = mostUsed(text)
    return this.#separator
  }

  #problem(message: string): CsvProblem {
    return new CsvProblem(this.#line, message)
  }
}

const afterQuote = 'After the quote that ends a cell, a separator or the end of the line must follow.'

/** Null where something else follows a quoted cell. */
function quotedCells(text: string, separator: Separator): string[] | null {
  const cells: string[] = []
  for (let at = 0; ; ) {
    if (text[at] !== '"') {
      const end = text.indexOf(separator, at)
      cells.push(end === -1 ? text.slice(at) : text.slice(at, end))
      if (end === -1) return cells
      at = end + 1
      continue
    }
    const end = closingQuote(text, at)
    if (end === -1) return null
    cells.push(text.slice(at + 1, end).replaceAll('""', '"'))
    if (end + 1 === text.length) return cells
    if (text[end + 1] !== separator) return null
    at = end + 2
  }
}

/** Of a cell that begins with a quote; -1 where it is not there. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end
}

/**
 * A file of a few hundred rows at once. Lines of text may stand above its table, so its separator is the one that all of it
 * has most of; rows of empty cells are none.
 */
export function readCsv(text: string): CsvRecord[] {
  const input = text.replace(/^\uFEFF/, '')
  const reader = new CsvReader(mostUsed(input))
  const records = [...reader.read(input), ...reader.end()]
  for (const { line, problem } of records) if (problem !== undefined) throw new CsvProblem(line, problem)
  return records
    .map(({ line, cells }) => ({ line, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

function mostUsed(text: string): Separator {
  const bare = text.replace(/"(?:[^"]|"")*"/g, '')
  const counts = separators.map((separator) => bare.split(separator).length)
  return separators[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The line break that ends the record; -1 where it is not complete yet. */
function endOf(text: string, start: number, quote: number, separator: Separator | null): number {
  let end = text.indexOf('\n', start)
  if (end === -1 || quote === -1 || quote > end) return end
  for (let at = start; ; ) {
    if (text[at] === '"') {
      at = closingQuote(text, at)
      if (at === -1) return -1
      if (at > end) end = text.indexOf('\n', at)
      if (end === -1) return -1
    }
    const next = nextSeparator(text, at, separator)
    if (next === -1 || next > end) return end
    at = next + 1
  }
}

function nextSeparator(text: string, start: number, separator: Separator | null): number {
  if (separator !== null) return text.indexOf(separator, start)
  return Math.min(...separators.map((one) => text.indexOf(one, start)).filter((at) => at !== -1))
}
