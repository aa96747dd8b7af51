import { type ReactNode, useState } from 'react'
import { compare } from '../compare.ts'
import { Icon } from '../icon.tsx'

export type Order<Row> = (row: Row) => number | string | null
export type Sorting = { column: string; isDown: boolean }

/** Rows in the order of the API until a heading is pressed: the largest first, then the smallest, then as they came. */
export function useSort<Row>(rows: readonly Row[], orderOf: (column: string) => Order<Row> | undefined) {
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const order = sorting && orderOf(sorting.column)
  const sorted = sorting && order ? [...rows].sort((a, b) => compare(order(a), order(b), sorting.isDown)) : rows
  function press(column: string): void {
    if (sorting?.column !== column) setSorting({ column, isDown: true })
    else setSorting(sorting.isDown ? { column, isDown: false } : null)
  }
  return { sorted, sorting, press }
}

type HeadingProps = {
  column: string
  isNumber: boolean
  sorting: Sorting | null
  onPress: () => void
  children: ReactNode
}

export function SortHeading({ column, isNumber, sorting, onPress, children }: HeadingProps) {
  const isSorted = sorting?.column === column
  const direction = sorting?.isDown ? 'descending' : 'ascending'
  return (
    <th scope="col" className={isNumber ? 'number' : undefined} aria-sort={isSorted ? direction : undefined}>
      <button type="button" className="sort" data-sorted={isSorted ? direction : undefined} onClick={onPress}>
        {children}
        <Icon name="down" size={14} />
      </button>
    </th>
  )
}
