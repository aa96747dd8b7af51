import type { Value } from './operation.ts'

/**
 * Makes rows with these columns. An object that is filled name by name becomes a hash table at its thirteenth name, and a
 * copy of it, as in `{ ...row, status }`, takes 7 us instead of 0.2. What `JSON.parse` makes stays an object with a
 * shape, and so do its copies.
 */
export function createRowMaker(columns: readonly string[]): (values: readonly Value[]) => Record<string, Value> {
  const blank = blankRow(columns)
  return (values) => {
    const row: Record<string, Value> = { ...blank }
    for (const [index, column] of columns.entries()) row[column] = values[index] ?? null
    return row
  }
}

/** One with every column, all of them null. */
export function blankRow<Column extends string>(columns: readonly Column[]): Record<Column, null> {
  return JSON.parse(`{${columns.map((column) => `${JSON.stringify(column)}:null`).join(',')}}`)
}
