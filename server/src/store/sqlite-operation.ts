import { type Statement, translate } from './dialect.ts'
import type { Operation } from './operation.ts'

/**
 * SQLite runs an operation row by row, so `rows` holds one row. Where a statement only takes values out of it, they are
 * its parameters; as a relation they would cost a third more. Where it does more with `rows`, it gets the relation.
 */
export function sqliteOperation(operation: Operation): Statement {
  const parameters = Object.keys(operation.input)
  const text = operation.ctes ? null : (insertOf(operation, parameters) ?? updateOf(operation, parameters))
  return {
    text: translate('sqlite', text ?? withRelation(operation, parameters)),
    parameters,
    columns: Object.keys(operation.returns),
  }
}

function withRelation({ ctes, sql }: Operation, parameters: readonly string[]): string {
  const values = parameters.map((_, index) => `?${index + 1}`)
  // Without input columns there is still one row to run for.
  const rows =
    parameters.length > 0
      ? `rows(${parameters.join(', ')}) as (values (${values.join(', ')}))`
      : 'rows(one) as (values (1))'
  return `with ${rows}${ctes ? `, ${ctes}` : ''} ${sql}`
}

const insertion =
  /^insert into (\w+ \([^)]+\))\s+select ([^()]+?)\s+from rows(?:\s+where true)?((?:\s+(?:on conflict|returning)\s[\s\S]+)?)$/
const literal = /^(\d+|'[^']*'|null|\{\w+\})$/

/** `insert … select a, b from rows` is `insert … values (?1, ?2)`; null when something is made of the values. */
function insertOf({ sql }: Operation, parameters: readonly string[]): string | null {
  const [, target, list, rest] = insertion.exec(sql) ?? []
  if (target === undefined || list === undefined || rest === undefined) return null
  const values = list.split(',').map((item) => {
    const name = item.trim()
    const index = parameters.indexOf(name)
    return index >= 0 ? `?${index + 1}` : literal.test(name) ? name : null
  })
  const asked = values.includes(null) || /\brows\b/.test(rest)
  return asked ? null : `insert into ${target} values (${values.join(', ')})${rest}`
}

const update = /^(update \w+ set [\s\S]+?)\s+from rows\s+where\s([\s\S]+)$/

/** `update t set a = rows.a from rows where t.id = rows.id` is `update t set a = ?2 where t.id = ?1`. */
function updateOf({ sql }: Operation, parameters: readonly string[]): string | null {
  const [, changes, condition] = update.exec(sql) ?? []
  if (changes === undefined || condition === undefined) return null
  const text = `${changes} where ${condition}`.replace(/\brows\.(\w+)/g, (whole, name: string) => {
    const index = parameters.indexOf(name)
    return index >= 0 ? `?${index + 1}` : whole
  })
  return /\brows\b/.test(text) ? null : text
}
