import type { Operation } from './operation.ts'

export type OneRow = { text: string; parameters: string[] }

/** How an engine writes the value of an input column, and the relation `rows` where a statement needs it. */
export type Writing = {
  place(position: number, column: string): string
  /** The name and query of a common table expression. */
  relation(columns: readonly string[], places: readonly string[]): string
}

/**
 * An operation for one input row. Where the statement only takes values out of `rows`, they are its parameters; as a
 * relation they would cost a third more. Where it does more with `rows`, it gets the relation, which then stands first in
 * `ctes`.
 */
export function oneRow(operation: Operation, writing: Writing): OneRow & { ctes: string } {
  if (operation.one) {
    const { parameters, valuesIn } = placesFor(operation, writing)
    return { ctes: valuesIn(operation.one.ctes ?? ''), text: valuesIn(operation.one.sql), parameters }
  }
  const taken = operation.ctes ? null : (insertOf(operation, writing) ?? updateOf(operation, writing))
  if (taken) return { ...taken, ctes: '' }
  const parameters = Object.keys(operation.input)
  const places = parameters.map((column, index) => writing.place(index + 1, column))
  const ctes = [writing.relation(parameters, places), operation.ctes].filter(Boolean).join(', ')
  return { text: operation.sql, parameters, ctes }
}

/** Gives each input column that is used its place: SQLite refuses values that no place is there for. */
function placesFor({ input }: Operation, { place }: Writing) {
  const parameters: string[] = []
  /** Null for what is no input column. */
  const placeOf = (name: string): string | null => {
    if (!Object.hasOwn(input, name)) return null
    if (!parameters.includes(name)) parameters.push(name)
    return place(parameters.indexOf(name) + 1, name)
  }
  const valuesIn = (sql: string) => sql.replace(/\brows\.(\w+)/g, (whole, name: string) => placeOf(name) ?? whole)
  return { parameters, placeOf, valuesIn }
}

const insertion =
  /^insert into (\w+ \([^)]+\))\s+select ([^()]+?)\s+from rows(?:\s+where true)?((?:\s+(?:on conflict|returning)\s[\s\S]+)?)$/
const literal = /^(\d+|'[^']*'|null|\{\w+\})$/

/** `insert … select a, b from rows` is `insert … values (?1, ?2)`; null when something is made of the values. */
function insertOf(operation: Operation, writing: Writing): OneRow | null {
  const [, target, list, rest] = insertion.exec(operation.sql) ?? []
  if (target === undefined || list === undefined || rest === undefined || /\brows\b/.test(rest)) return null
  const { parameters, placeOf } = placesFor(operation, writing)
  const values = list.split(',').map((item) => placeOf(item.trim()) ?? (literal.test(item.trim()) ? item.trim() : null))
  return values.includes(null)
    ? null
    : { text: `insert into ${target} values (${values.join(', ')})${rest}`, parameters }
}

const update = /^(update \w+ set [\s\S]+?)\s+from rows\s+where\s([\s\S]+)$/

/** `update t set a = rows.a from rows where t.id = rows.id` is `update t set a = ?1 where t.id = ?2`. */
function updateOf(operation: Operation, writing: Writing): OneRow | null {
  const [, changes, condition] = update.exec(operation.sql) ?? []
  if (changes === undefined || condition === undefined) return null
  const { parameters, valuesIn } = placesFor(operation, writing)
  const text = valuesIn(`${changes} where ${condition}`)
  return /\brows\b/.test(text) ? null : { text, parameters }
}
