import type { Value } from '../engine/operation.ts'
import type { InputRow } from '../engine/unit.ts'

/** A column of the input as PostgreSQL writes arrays. */
export function toArray(rows: readonly InputRow[], column: string): string {
  const first = rows[0]?.[column] ?? null
  // Most columns of a batch are null, or say of whom all of its rows are.
  if (rows.every((row) => (row[column] ?? null) === first)) return sameIn(rows.length, toElement(first))
  return `{${rows.map((row) => toElement(row[column] ?? null)).join(',')}}`
}

function sameIn(count: number, element: string): string {
  return `{${`${element},`.repeat(count - 1)}${element}}`
}

/** The places of that many rows, counted from 1. */
export function toPlaces(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => index + 1).join(',')}}`
}

function toElement(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return quoted(value)
  return value instanceof Uint8Array ? `"\\\\x${Buffer.from(value).toString('hex')}"` : String(value)
}

/**
 * JSON marks quotes and backslashes as arrays do, in a third of the time. It differs in control characters and in halves of
 * a surrogate pair.
 */
function quoted(text: string): string {
  if (!/["\\]/.test(text)) return `"${text}"`
  const differs = /[^ -\uffff]/.test(text) || !text.isWellFormed()
  return differs ? `"${text.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(text)
}
