import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { TimesInside } from '../time.tsx'
import { useRowKeys } from './row-keys.ts'
import { type Order, SortHeading, type Sorting, useSort } from './sort.tsx'
import { useVirtualRows } from './virtual-rows.ts'

export type Column<Row> = {
  id: string
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers stand right. */
  number?: boolean
  /** The heading is heard, not seen: for a column of menus. */
  quietTitle?: boolean
  /** On a card it stands at the top right, without its heading: what a glance looks for. */
  corner?: boolean
  /** Its heading sorts the rows by this. */
  order?: Order<Row>
}

/** A number that its heading sorts by; its title is its id. */
export function numberColumn<Row, Value extends number | null>(
  title: string,
  valueIn: (row: Row) => Value,
  format: (value: Value) => string,
): Column<Row> {
  return { id: title, title, number: true, order: valueIn, cell: (row) => format(valueIn(row)) }
}

type TableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  isDimmed?: (row: Row) => boolean
}

/**
 * A real table that becomes cards on a narrow screen, with only the rows around the screen once it is long. The first
 * column holds the row's link or button, which fills the row: see RowLink and RowButton. Keys walk along: see row-keys.
 */
export function Table<Row>({ caption, columns, rows: given, idOf, isDimmed = () => false }: TableProps<Row>) {
  const { sorted: rows, sorting, press } = useSort(given, (id) => columns.find((column) => column.id === id)?.order)
  const { body, shown, isWindowed, reveal } = useVirtualRows<HTMLTableSectionElement>(rows.map(idOf))
  useRowKeys({ body, count: rows.length, reveal })
  // A reader counts the heading as the first row.
  const place = (index: number) => (isWindowed ? { 'aria-rowindex': index + 2 } : {})
  return (
    <div className="table-room">
      <table className="table table-cards" aria-rowcount={isWindowed ? rows.length + 1 : undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <Heading {...{ columns, isWindowed, sorting }} onSort={press} />
        <tbody ref={body}>
          <Spacer heightPx={shown.beforePx} span={columns.length} />
          <TimesInside>
            {rows.slice(shown.start, shown.end).map((row, offset) => (
              <tr
                key={idOf(row)}
                data-row-id={idOf(row)}
                data-row-index={shown.start + offset}
                className={isDimmed(row) ? 'dimmed' : undefined}
                tabIndex={-1}
                {...place(shown.start + offset)}
              >
                {columns.map((column) => (
                  <td
                    key={column.id}
                    className={column.number ? 'number' : undefined}
                    data-label={column.quietTitle ? undefined : column.title}
                    data-quiet={column.quietTitle || undefined}
                    data-corner={column.corner || undefined}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </TimesInside>
          <Spacer heightPx={shown.afterPx} span={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

type HeadingProps<Row> = {
  columns: readonly Column<Row>[]
  isWindowed: boolean
  sorting: Sorting | null
  onSort: (column: string) => void
}

function Heading<Row>({ columns, isWindowed, sorting, onSort }: HeadingProps<Row>) {
  return (
    <thead>
      <tr aria-rowindex={isWindowed ? 1 : undefined}>
        {columns.map(({ id, title, number = false, quietTitle, order }) =>
          order ? (
            <SortHeading key={id} column={id} isNumber={number} sorting={sorting} onPress={() => onSort(id)}>
              {title}
            </SortHeading>
          ) : (
            <th key={id} scope="col" className={number ? 'number' : undefined}>
              {quietTitle ? <span className="visually-hidden">{title}</span> : title}
            </th>
          ),
        )}
      </tr>
    </thead>
  )
}

/** Takes the room of the rows that are not in the document. */
function Spacer({ heightPx, span }: { heightPx: number; span: number }) {
  if (heightPx === 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it holds nothing and takes no focus
    <tr className="table-spacer" aria-hidden="true">
      <td colSpan={span} style={{ height: heightPx }} />
    </tr>
  )
}

export function RowLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="row-link">
      {children}
    </Link>
  )
}

export function RowButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="row-link" onClick={onClick}>
      {children}
    </button>
  )
}
