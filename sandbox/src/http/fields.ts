import { graphError } from './errors.ts'
import type { Json } from './json.ts'

/** Answers only the fields asked for, plus `id`, as Graph does; a field that does not exist is an error. */
export function pickFields(all: Json, fields: string, nodeType: string): Json {
  const picked: Json = {}
  for (const field of splitFields(fields)) {
    const name = /^[a-z_0-9]+/i.exec(field)?.[0] ?? field
    if (!Object.hasOwn(all, name)) {
      throw graphError(100, undefined, {
        message: `(#100) Tried accessing nonexisting field (${name}) on node type (${nodeType})`,
      })
    }
    if (all[name] !== undefined) picked[name] = all[name]
  }
  picked.id = all.id
  return picked
}

/** Commas inside brackets belong to a field: `analytics.start(1).end(2),name`. */
export function splitFields(fields: string): string[] {
  const parts: string[] = []
  let depth = 0
  let current = ''
  for (const char of fields) {
    if ('([{'.includes(char)) depth++
    if (')]}'.includes(char)) depth--
    if (char === ',' && depth === 0) {
      parts.push(current.trim())
      current = ''
    } else current += char
  }
  parts.push(current.trim())
  return parts.filter((part) => part !== '')
}
