import { type Statement, translate } from '../engine/dialect.ts'
import type { Operation } from '../engine/operation.ts'

/**
 * SQLite runs an operation row by row, so `rows` holds one row. Where a statement only takes values out of it, they are
 * its parameters; as a relation they would cost a third more. Where it does more with `rows`, it gets the relation.
 */
export function sqliteOperation(operation: Operation): Statement {
  const taken = operation.ctes ? null : (insertOf(operation) ?? updateOf(operation))
  const { text, parameters } = taken ?? withRelation(operation)
  return { text: translate('sqlite', text), parameters, columns: Object.keys(operation.returns) }
}

type Taken = { text: string; parameters: string[] }

/** Gives each input column that is used its place: SQLite refuses values that no place is there for. */
function placesFor({ input }: Operation) {
  const parameters: string[] = []
  return {
    parameters,
    /** Null for what is no input column. */
    placeOf(name: string): string | null {
      if (!Object.hasOwn(input, name)) return null
      if (!parameters.includes(name)) parameters.push(name)
      return `?${parameters.indexOf(name) + 1}`
    },
  }
}

function withRelation({ input, ctes, sql }: Operation): Taken {
  const parameters = Object.keys(input)
  const values = parameters.map((_, index) => `?${index + 1}`)
  // Without input columns there is still one row to run for.
  const rows =
    parameters.length > 0
      ? `rows(${parameters.join(', ')}) as (values (${values.join(', ')}))`
      : 'rows(one) as (values (1))'
  return { text: `with ${rows}${ctes ? `, ${ctes}` : ''} ${sql}`, parameters }
}

const insertion =
  /^insert into (\w+ \([^)]+\))\s+select ([^()]+?)\s+from rows(?:\s+where true)?((?:\s+(?:on conflict|returning)\s[\s\S]+)?)$/
const literal = /^(\d+|'[^']*'|null|\{\w+\})$/

/** `insert … select a, b from rows` is `insert … values (?1, ?2)`; null when something is made of the values. */
function insertOf(operation: Operation): Taken | null {
  const [, target, list, rest] = insertion.exec(operation.sql) ?? []
  if (target === undefined || list === undefined || rest === undefined || /\brows\b/.test(rest)) return null
  const { parameters, placeOf } = placesFor(operation)
  const values = list.split(',').map((item) => placeOf(item.trim()) ?? (literal.test(item.trim()) ? item.trim() : null))
  return values.includes(null)
    ? null
    : { text: `insert into ${target} values (${values.join(', ')})${rest}`, parameters }
}

const update = /^(update \w+ set [\s\S]+?)\s+from rows\s+where\s([\s\S]+)$/

/** `update t set a = rows.a from rows where t.id = rows.id` is `update t set a = ?1 where t.id = ?2`. */
function updateOf(operation: Operation): Taken | null {
  const [, changes, condition] = update.exec(operation.sql) ?? []
  if (changes === undefined || condition === undefined) return null
  const { parameters, placeOf } = placesFor(operation)
  const text = `${changes} where ${condition}`.replace(
    /\brows\.(\w+)/g,
    (whole, name: string) => placeOf(name) ?? whole,
  )
  return /\brows\b/.test(text) ? null : { text, parameters }
}
