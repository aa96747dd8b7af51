import { setTimeout as pause } from 'node:timers/promises'
import { AppError, validationFailed } from '../../contract/app-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { plainCell } from '../../lib/text/csv.ts'
import { CsvProblem, CsvReader, type CsvRecord } from '../../lib/text/read-csv.ts'

/** One line of an upload; `cells` stand in the order of the columns that were known by then. */
export type UploadedRow = {
  line: number
  to: string
  cells: readonly string[]
  reference: string
  zone: string
  /** Why the line cannot be read at all. */
  unreadable?: string
}

/** Rows as they come, and the columns they have; those of NDJSON are known at its end. */
export type RowSource = { readonly columns: readonly string[]; rows: AsyncIterable<readonly UploadedRow[]> }

/** Names under which the recipient is looked for. */
const toNames = ['to', 'phone', 'phone_number', 'mobile', 'whatsapp']
const nameCharsMax = 128
const columnsMax = 200

/** A CSV file whose first record names the columns. */
export function readCsvRows(pieces: AsyncIterable<Uint8Array>, toColumn: string | null): RowSource {
  const columns: string[] = []
  async function* rows() {
    const reader = new CsvReader()
    let places: Places | null = null
    const take = (records: Iterable<CsvRecord>) => {
      const found: UploadedRow[] = []
      for (const record of records) {
        if (places) found.push(rowOf(record, places))
        else if (record.problem !== undefined) throw new CsvProblem(record.line, record.problem)
        else places = readHeader(record, toColumn, columns)
      }
      return found
    }
    try {
      for await (const piece of decoded(pieces)) yield take(reader.read(piece))
      yield take(reader.end())
    } catch (error) {
      if (!(error instanceof CsvProblem)) throw error
      throw new AppError('validation_failed', `Line ${error.line} of the file cannot be read. ${error.message}`)
    }
    if (!places) throw new AppError('validation_failed', 'The file is empty. Its first line must name the columns.')
  }
  return { columns, rows: rows() }
}

type Places = { to: number; reference: number; zone: number; width: number }

function readHeader({ cells }: CsvRecord, toColumn: string | null, columns: string[]): Places {
  const names = cells.map((cell) => cell.trim())
  if (names.length > columnsMax)
    throw new AppError('validation_failed', `The file has more than ${columnsMax} columns.`)
  const long = names.find((name) => name.length > nameCharsMax)
  if (long !== undefined) {
    throw new AppError(
      'validation_failed',
      'The first line of the file must name the columns, in up to 128 characters each.',
    )
  }
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) throw new AppError('validation_failed', `The file has two columns named '${twice}'.`)
  columns.push(...names)
  const lower = names.map((name) => name.toLowerCase())
  const wanted = toColumn === null ? toNames : [toColumn.trim().toLowerCase()]
  const to = wanted.map((name) => lower.indexOf(name)).find((at) => at !== -1)
  if (to === undefined) {
    const message =
      toColumn === null
        ? `No column is named ${toNames.join(', ')}. Name the column with the phone numbers in \`to_column\`.`
        : `The file has no column '${toColumn}'. It has: ${names.join(', ').slice(0, 300)}.`
    throw validationFailed([{ field: 'to_column', location: 'query', code: 'invalid_value', message }])
  }
  return { to, reference: lower.indexOf('client_reference'), zone: lower.indexOf('time_zone'), width: names.length }
}

function rowOf(record: CsvRecord, { to, reference, zone, width }: Places): UploadedRow {
  const { line, cells: written, problem } = record
  if (problem !== undefined) return { line, to: '', cells: [], reference: '', zone: '', unreadable: problem }
  // Files that we exported come back.
  const cells = written.map(plainCell)
  const row = { line, to: cells[to] ?? '', cells, reference: cells[reference] ?? '', zone: cells[zone] ?? '' }
  if (cells.length <= width || cells.slice(width).every((cell) => cell.trim() === '')) return row
  return { ...row, unreadable: `This line has ${cells.length} cells, and the first line names ${width} columns.` }
}

/** One JSON object in each line. */
export function readNdjsonRows(pieces: AsyncIterable<Uint8Array>): RowSource {
  const columns: string[] = []
  const places = new Map<string, number>()
  async function* rows() {
    let rest = ''
    let line = 0
    const take = (lines: readonly string[]) => {
      const found: UploadedRow[] = []
      for (const text of lines) {
        line++
        if (text.trim() !== '') found.push(objectRow(line, parseLine(text), columns, places))
      }
      return found
    }
    for await (const piece of decoded(pieces)) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > lineCharsMax)
        throw new AppError('validation_failed', `Line ${line + lines.length + 1} is too long.`)
      yield take(lines)
    }
    yield take([rest])
  }
  return { columns, rows: rows() }
}

const lineCharsMax = 65_536

/** The rows of a JSON body. */
export function readObjectRows(recipients: readonly unknown[]): RowSource {
  const columns: string[] = []
  const places = new Map<string, number>()
  async function* rows() {
    yield recipients.map((recipient, index) => objectRow(index + 1, recipient, columns, places))
  }
  return { columns, rows: rows() }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const known = ['to', 'values', 'client_reference', 'time_zone']

function objectRow(line: number, given: unknown, columns: string[], places: Map<string, number>): UploadedRow {
  const row: UploadedRow = { line, to: '', cells: [], reference: '', zone: '' }
  if (!isRecord(given)) return { ...row, unreadable: 'Write one JSON object.' }
  const other = Object.keys(given).find((name) => !known.includes(name))
  if (other !== undefined) {
    return { ...row, unreadable: `No field is named '${other.slice(0, 64)}'. Put the values into \`values\`.` }
  }
  const { to, values = {}, client_reference: reference, time_zone: zone } = given
  if (!isRecord(values ?? {})) return { ...row, unreadable: '`values` must be an object of columns and values.' }
  const cells: string[] = []
  for (const [name, value] of Object.entries(values ?? {})) {
    if (!['string', 'number', 'boolean'].includes(typeof value) && value !== null) {
      return { ...row, unreadable: `The value of '${name.slice(0, 64)}' must be a text, a number, true or false.` }
    }
    const place = placeOf(name, columns, places)
    if (place === null) return { ...row, unreadable: `A file can have ${columnsMax} columns.` }
    cells[place] = value === null ? '' : String(value)
  }
  const filled = Array.from(cells, (cell) => cell ?? '')
  return { line, to: textOf(to), cells: filled, reference: textOf(reference), zone: textOf(zone) }
}

function placeOf(name: string, columns: string[], places: Map<string, number>): number | null {
  const place = places.get(name)
  if (place !== undefined) return place
  if (columns.length >= columnsMax || name.length > nameCharsMax) return null
  columns.push(name)
  places.set(name, columns.length - 1)
  return columns.length - 1
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** UTF-8 with or without a mark at its beginning. */
/** About a hundred lines, which are read and checked in a millisecond. */
const portionBytes = 4_096
/** Sends share the main thread with uploads, and go first. */
const restMs = 1

async function* decoded(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += portionBytes) {
        yield decoder.decode(piece.subarray(at, at + portionBytes), { stream: true })
        await pause(restMs)
      }
    }
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new AppError('validation_failed', 'The file is not UTF-8. Save it as "CSV UTF-8" and upload it again.')
  }
}
