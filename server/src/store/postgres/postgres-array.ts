import type { Value } from '../engine/operation.ts'

/** A column of the input as PostgreSQL writes arrays. */
export function toArray(values: readonly Value[]): string {
  return `{${values.map(toElement).join(',')}}`
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
  return /[\p{Cc}\p{Cs}]/u.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : JSON.stringify(text)
}
