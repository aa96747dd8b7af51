import { AppError } from '../contract/app-error.ts'
import { parseInstant } from '../lib/instant.ts'

/** A time from a caller, or null when it was left out. Its form was checked before; the day may still not exist. */
export function readInstant(field: string, text: string | null | undefined): number | null {
  if (text === undefined || text === null) return null
  const at = parseInstant(text)
  if (at === null) throw new AppError('invalid_date_range', `'${field}' names a day or time that does not exist.`)
  return at
}
