import { type Command, textOption } from '../command.ts'
import { table } from '../output/table.ts'
import { countFlag, textFlag } from '../read-flags.ts'
import { gatewayCommand } from './gateway-command.ts'

type Filter = { readonly query: string; readonly help: string }
type Pagination = { has_more: boolean; next_cursor: string | null; searched_back_to?: string }
type Page<Row> = Record<string, Row[]> & { pagination?: Pagination }

type Parts<Row> = {
  readonly name: string
  readonly summary: string
  readonly examples: readonly string[]
  readonly words?: readonly string[]
  path(words: readonly string[]): string
  /** The member of the answer that holds the rows. */
  readonly member: string
  /** Flags that narrow the list, each with its query parameter; null for a list that is always whole. */
  readonly filters: Readonly<Record<string, Filter>> | null
  readonly columns: Readonly<Record<string, (row: Row) => string | number | null>>
}

const limitDefault = 20
const paging = {
  limit: textOption(`How many, up to 100. Default ${limitDefault}.`),
  cursor: textOption('Where to continue: the cursor at the end of the previous list.'),
}

/** A command that lists a page of something: a table for people, the API's answer with --json. */
export function listCommand<Row>(parts: Parts<Row>): Command {
  const { name, summary, examples, words = [], member, filters, columns } = parts
  const entries = Object.entries(filters ?? {})
  const flagOptions = Object.fromEntries(entries.map(([flag, { help }]) => [flag, textOption(help)]))
  return gatewayCommand<Page<Row>>({
    name,
    summary,
    examples,
    words,
    options: { ...flagOptions, ...(filters ? paging : {}) },
    call(given, flags) {
      const query = entries.map(([flag, filter]) => [filter.query, textFlag(flags, flag) ?? undefined])
      const page = { limit: countFlag(flags, 'limit', { max: 100 }) ?? limitDefault, cursor: textFlag(flags, 'cursor') }
      return {
        method: 'GET',
        path: parts.path(given),
        query: { ...Object.fromEntries(query), ...(filters ? { ...page, cursor: page.cursor ?? undefined } : {}) },
      }
    },
    text(data) {
      const rows = (data[member] ?? []).map((row) => Object.values(columns).map((column) => cell(column(row))))
      const more = data.pagination?.has_more ? furtherOf(data.pagination) : null
      if (rows.length === 0) return more === null ? 'None.\n' : `None yet. ${more}`
      return `${table(Object.keys(columns), rows)}${more === null ? '' : `\n${more}`}`
    },
  })
}

/** A page may end before it is full: what a filter finds seldom is searched for step by step. */
function furtherOf({ next_cursor: cursor, searched_back_to: searched }: Pagination): string {
  return searched === undefined
    ? `There are more: --cursor ${cursor}\n`
    : `Searched back to ${searched}. To search further: --cursor ${cursor}\n`
}

/** People and other systems chose some of these texts: nothing in them steers the terminal. */
function cell(value: string | number | null): string {
  return value === null ? '-' : String(value).replace(/\p{C}/gu, '?')
}
