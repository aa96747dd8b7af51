import { CsvProblem, type CsvRecord, readCsv } from '../lib/text/read-csv.ts'
import { marketOf, plain, regionNames } from './markets.ts'
import { currencyNames, currencyOf, parseAmount } from './money.ts'

/** Pricing categories as statuses name them, with `_` for every `-`. */
export const priceCategories = [
  'marketing',
  'marketing_lite',
  'utility',
  'authentication',
  'authentication_international',
  'service',
  'referral_conversion',
  'group_marketing',
  'group_service',
  'group_utility',
] as const

/** Millionths by market and category. A category that a market doesn't have is left out. */
export type Rates = Record<string, Record<string, number>>
export type RateFile =
  | { kind: 'rates'; currency: string; rates: Rates }
  | { kind: 'regions'; regions: Record<string, string> }

export type LineProblem = { line: number; column: string | null; message: string }
type Parsed = { ok: true; file: RateFile } | { ok: false; problems: LineProblem[] }

const problemsMax = 100

/** Reads Meta's rate file, or its mapping of countries to regions. What isn't understood is an error. */
export function parseRates(text: string, givenCurrency: string | null): Parsed {
  const rows = rowsIn(text)
  if (rows instanceof CsvProblem) return refused(rows.line, null, rows.message)
  // Lines of text may stand above the table.
  const start = rows.findIndex(({ cells }) => cells.some((cell) => ['market', 'country'].includes(plain(cell))))
  const header = rows[start]
  if (!header) return refused(1, null, 'No row has the column Market. Give a rate card as Meta offers it, as CSV.')
  const body = rows.slice(start + 1)
  if (body.length === 0) return refused(header.line, null, 'There is no row below the names of the columns.')
  const reader = new TableReader(header, givenCurrency)
  const file = reader.read(body)
  return file && reader.problems.length === 0 ? { ok: true, file } : { ok: false, problems: reader.problems }
}

function rowsIn(text: string): CsvRecord[] | CsvProblem {
  try {
    return readCsv(text)
  } catch (error) {
    if (error instanceof CsvProblem) return error
    throw error
  }
}

function refused(line: number, column: string | null, message: string): Parsed {
  return { ok: false, problems: [{ line, column, message }] }
}

const columnsOf: Record<string, readonly string[]> = {
  rates: ['market', 'currency', ...priceCategories.map(plain)],
  regions: ['country', 'region', 'market', 'callingcode', 'countrycallingcode', 'isocode'],
}

class TableReader {
  readonly problems: LineProblem[] = []
  private readonly header: CsvRecord
  private readonly names: string[]
  private currency: string | null

  constructor(header: CsvRecord, givenCurrency: string | null) {
    this.header = header
    this.names = header.cells.map(plain)
    this.currency = givenCurrency
  }

  report(line: number, column: string | null, message: string): void {
    if (this.problems.length < problemsMax) this.problems.push({ line, column, message })
  }

  read(rows: readonly CsvRecord[]): RateFile | null {
    const kind = this.names.includes('country') ? 'regions' : 'rates'
    this.checkColumns(kind)
    if (kind === 'regions') return { kind, regions: this.regions(rows) }
    const rates = this.rates(rows)
    if (this.currency !== null) return { kind, rates, currency: this.currency }
    if (this.problems.length === 0) {
      this.report(this.header.line, 'Currency', `Name the currency: one of ${currencyNames}.`)
    }
    return null
  }

  private checkColumns(kind: string): void {
    const { cells, line } = this.header
    for (const [index, name] of this.names.entries()) {
      const written = oneLine(cells[index] ?? '')
      if (name === '') continue
      if (!columnsOf[kind]?.includes(name)) {
        this.report(line, written, `The column ${written} is unknown. Remove it, or correct its name.`)
      } else if (this.names.indexOf(name) < index) {
        this.report(line, written, `The column ${written} is there twice.`)
      }
    }
    if (kind === 'rates' && !this.categories().length) {
      this.report(line, null, 'No column names a category, such as Marketing or Utility.')
    }
    if (kind === 'regions' && !this.names.includes('region') && !this.names.includes('market')) {
      this.report(line, 'Region', 'The column Region is missing.')
    }
  }

  private categories() {
    return priceCategories.filter((category) => this.names.includes(plain(category)))
  }

  private cell({ cells }: CsvRecord, name: string): string {
    return cells[this.names.indexOf(name)] ?? ''
  }

  /** A rate as 0,0356 without quotes is two cells, and moves those behind it into other columns. */
  private fits({ cells, line }: CsvRecord): boolean {
    const { length } = this.header.cells
    if (!cells.slice(length).some((cell) => cell !== '')) return true
    const message = `This row has ${cells.length} cells, and there are ${length} columns. Write rates with a point, and put text with a comma in quotes.`
    this.report(line, null, message)
    return false
  }

  private rates(rows: readonly CsvRecord[]): Rates {
    const rates: Rates = {}
    for (const row of rows) {
      if (!this.fits(row)) continue
      const market = this.market(row, this.cell(row, 'market'))
      this.noteCurrency(row)
      if (market === null) continue
      if (rates[market]) this.report(row.line, 'Market', `${this.cell(row, 'market')} is there twice.`)
      const own: Record<string, number> = {}
      for (const category of this.categories()) {
        const rate = this.rate(row, category)
        if (rate !== null) own[category] = rate
      }
      rates[market] = own
    }
    return rates
  }

  private regions(rows: readonly CsvRecord[]): Record<string, string> {
    const regions: Record<string, string> = {}
    for (const row of rows) {
      if (!this.fits(row)) continue
      const country = this.market(row, this.cell(row, 'country'))
      const name = this.cell(row, 'region') || this.cell(row, 'market')
      const region = this.market(row, name)
      if (country === null || region === null) continue
      if (regionNames.includes(country)) this.report(row.line, 'Country', `${country} is no country.`)
      regions[country] = region
    }
    return regions
  }

  private market({ line }: CsvRecord, name: string): string | null {
    const market = marketOf(name)
    if (market === null) {
      const what = name === '' ? 'This row names no market' : `The market ${oneLine(name)} is unknown`
      this.report(line, 'Market', `${what}. Use the name of a country in English, or one of ${regionNames.join(', ')}.`)
    }
    return market
  }

  private noteCurrency(row: CsvRecord): void {
    const written = this.cell(row, 'currency')
    if (written === '') return
    const currency = currencyOf(written)
    if (currency === null) {
      this.report(row.line, 'Currency', `${oneLine(written)} is no currency that Meta bills in: ${currencyNames}.`)
    } else if (this.currency !== null && this.currency !== currency) {
      this.report(
        row.line,
        'Currency',
        `This row is in ${currency}, the card is in ${this.currency}. Import them apart.`,
      )
    } else this.currency = currency
  }

  /** Null where there is no such rate, which isn't 0. */
  private rate(row: CsvRecord, name: string): number | null {
    const written = this.cell(row, plain(name))
    if (['', 'n/a', 'na', '-', '–'].includes(written.toLowerCase())) return null
    const bare = written.replace(/^[^\d.,-]{1,4}\s*/, '')
    const amount = parseAmount(bare)
    if (amount === null) {
      const example = 'Write it as 0.0356, with a point and up to six decimals; n/a where there is none.'
      this.report(row.line, name, `${oneLine(written)} is no rate. ${example}`)
    }
    return amount
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 60)
}
