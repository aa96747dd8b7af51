import { AppError } from './contract/app-error.ts'
import type { Cursors, Position } from './store/engine/cursor.ts'

/** Which page of a list; without a cursor the first. */
export type PageRequest = { limit: number; cursor: string | null }

/** Where the page before ended; null for the first page. `boundTo` is the list with its account and filters. */
export function openCursor(
  { cursors }: { cursors: Cursors },
  cursor: string | null | undefined,
  boundTo: unknown,
): Position | null {
  if (cursor === null || cursor === undefined) return null
  const position = cursors.open(cursor, boundTo)
  if (position) return position
  throw new AppError(
    'invalid_cursor',
    'The cursor is unknown, too old, or was made with other filters. Start again without it.',
  )
}

/** Of rows read up to one beyond the limit: those to show, and the cursor behind the last of them if there are more. */
export function toPage<Row>(
  { cursors }: { cursors: Cursors },
  rows: readonly Row[],
  { limit, boundTo, positionOf }: { limit: number; boundTo: unknown; positionOf: (row: Row) => Position },
) {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const next_cursor = last === undefined ? null : cursors.seal(positionOf(last), boundTo)
  return { shown, pagination: { limit, has_more: last !== undefined, next_cursor } }
}
