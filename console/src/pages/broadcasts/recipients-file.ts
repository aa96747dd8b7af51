import type { ValueField } from '../../components/message/template-values.ts'

/** The beginning of a CSV file, to assign its columns; all of it is read by the gateway. */
export type Head = { columns: string[]; rows: string[][] }

export const shownRows = 10
export const headBytes = 65_536

/** Where a value comes from: a column, with what stands there when its cell is empty, or a text for everybody. */
export type Source = { column: string; instead: string; text: string }
export type Sources = Readonly<Record<string, Source>>

const separators = [',', ';', '\t']

export function readHead(text: string, { isCut = false } = {}): Head {
  const input = text.replace(/^\uFEFF/, '')
  const first = /^(?:"(?:[^"]|"")*"|[^"\n])*/.exec(input)?.[0] ?? ''
  const bare = first.replace(/"(?:[^"]|"")*"/g, '')
  const counts = separators.map((separator) => bare.split(separator).length)
  const separator = separators[counts.indexOf(Math.max(...counts))] ?? ','
  const records: string[][] = []
  let cells: string[] = []
  // A quoted cell, or everything up to the next separator or line break; then what ends it.
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'gy')
  for (let found = pattern.exec(input); found; found = pattern.exec(input)) {
    const [, quoted, plain = '', end] = found
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== separator) {
      // Cut off in the middle, its last line is none.
      const isWhole = end !== '' || !isCut
      if (isWhole && cells.some((cell) => cell.trim() !== '')) records.push(cells)
      cells = []
    }
    if (records.length > shownRows || pattern.lastIndex >= input.length) break
  }
  const [columns = [], ...rows] = records
  return { columns: columns.map((column) => column.trim()), rows }
}

const toNames = ['to', 'phone', 'phone_number', 'mobile', 'whatsapp']

/** The column that holds the numbers, by the names that the gateway looks for; nothing where none is called so. */
export function toColumnIn(columns: readonly string[]): string {
  return columns.find((column) => toNames.includes(column.toLowerCase())) ?? ''
}

/** Names that can stand between the braces of a placeholder. */
export function usable(columns: readonly string[]): string[] {
  return columns.filter((column) => column !== '' && !/[{}|]/.test(column))
}

const plainName = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** A column for each variable: the one of its name, else the next that nothing else takes. */
export function assign(fields: readonly ValueField[], columns: readonly string[], to: string): Sources {
  const free = usable(columns).filter((column) => column !== to)
  const byName = new Map(
    fields.flatMap(({ key, label }) => {
      const column = free.find((one) => plainName(one) === plainName(label))
      return column === undefined ? [] : [[key, column]]
    }),
  )
  const others = free.filter((column) => ![...byName.values()].includes(column))
  return Object.fromEntries(
    fields.map(({ key }) => [key, { column: byName.get(key) ?? others.shift() ?? '', instead: '', text: '' }]),
  )
}

/** As the pattern of a broadcast names them. */
export function componentsText(sources: Sources): Record<string, string> {
  return mapped(sources, ({ column, instead, text }) =>
    column === '' ? text : `{{${column}${instead === '' ? '' : `|${instead}`}}}`,
  )
}

/** What one row puts there. */
export function cellsOf(sources: Sources, columns: readonly string[], row: readonly string[]): Record<string, string> {
  return mapped(sources, ({ column, instead, text }) => {
    if (column === '') return text
    const cell = row[columns.indexOf(column)] ?? ''
    return cell.trim() === '' ? instead : cell
  })
}

function mapped(sources: Sources, textOf: (source: Source) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(sources).map(([key, source]) => [key, textOf(source)]))
}
