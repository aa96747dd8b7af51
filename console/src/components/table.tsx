import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRowKeys } from './row-keys.ts'

export type Column<Row> = {
  id: string
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers stand right. */
  number?: boolean
  /** The heading is heard, not seen: for a column of menus. */
  quietTitle?: boolean
}

type TableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  isDimmed?: (row: Row) => boolean
}

/**
 * A real table that becomes cards on a narrow screen. The first column holds the row's link or button, which fills the
 * row: see RowLink and RowButton. j and k walk along them, c copies the id.
 */
export function Table<Row>({ caption, columns, rows, idOf, isDimmed = () => false }: TableProps<Row>) {
  const body = useRowKeys()
  return (
    <table className="table table-cards">
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={column.number ? 'number' : undefined}>
              {column.quietTitle ? <span className="visually-hidden">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <tr key={idOf(row)} data-row-id={idOf(row)} className={isDimmed(row) ? 'dimmed' : undefined}>
            {columns.map((column) => (
              <td
                key={column.id}
                className={column.number ? 'number' : undefined}
                data-label={column.quietTitle ? undefined : column.title}
                data-quiet={column.quietTitle || undefined}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
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
