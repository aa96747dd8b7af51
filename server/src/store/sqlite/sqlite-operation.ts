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
  return { ...unnamed(translate('sqlite', ctes ? `with ${ctes} ${text}` : text), parameters), columns }
}

/**
 * Places without numbers, where each value is used once: SQLite keeps a number as a name, and for each value that is bound all
 * names before it are passed, which for a message of 34 columns was a thirtieth of its writing.
 */
function unnamed(numbered: string, names: readonly string[]): Pick<Statement, 'text' | 'parameters'> {
  const parameters: string[] = []
  const text = numbered.replace(/'[^']*'|\?(\d+)/g, (whole, position: string | undefined) => {
    if (position === undefined) return whole
    parameters.push(names[Number(position) - 1] ?? '')
    return '?'
  })
  return parameters.length > names.length ? { text: numbered, parameters: names } : { text, parameters }
}
