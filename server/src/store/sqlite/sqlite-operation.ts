import { type Statement, translate } from '../engine/dialect.ts'
import { oneRow, type Writing } from '../engine/one-row.ts'
import type { Operation } from '../engine/operation.ts'

const writing: Writing = {
  place: (position) => `?${position}`,
  // Without input columns there is still one row to run for.
  relation: (columns, places) =>
    columns.length > 0 ? `rows(${columns.join(', ')}) as (values (${places.join(', ')}))` : 'rows(one) as (values (1))',
}

/** SQLite runs an operation row by row. */
export function sqliteOperation(operation: Operation): Statement {
  const { text, parameters, ctes } = oneRow(operation, writing)
  const columns = Object.keys(operation.returns)
  return { text: translate('sqlite', ctes ? `with ${ctes} ${text}` : text), parameters, columns }
}
