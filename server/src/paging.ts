import { AppError } from './contract/app-error.ts'
import type { BoundTo, Cursors, Opened, Position, Refused } from './store/engine/cursor.ts'

/** Which page of a list; without a cursor the first. */
export type PageRequest = { limit: number; cursor: string | null }

/** Where the page before ended; null for the first page. `boundTo` is the list with its account and filters. */
export function openCursor(
  { cursors }: { cursors: Cursors },
  cursor: string | null | undefined,
  boundTo: BoundTo,
): Position | null {
  return cursor === null || cursor === undefined ? null : requireOpened({ cursors }, cursor, boundTo).position
}

/** What a cursor says; throws when it is not for this list and these filters. */
export function requireOpened(
  { cursors }: { cursors: Cursors },
  cursor: string,
  boundTo: BoundTo,
  startAgain = 'Start again without it.',
): Opened {
  const opened = cursors.open(cursor, boundTo)
  if ('position' in opened) return opened
  throw new AppError('invalid_cursor', explain(opened, startAgain))
}

function explain({ refused, filters }: Refused, startAgain: string): string {
  if (refused === 'unknown') return `The cursor is unknown, or belongs to another list. ${startAgain}`
  if (refused === 'expired') return `The cursor has expired. ${startAgain}`
  const names = filters.map((name) => `\`${name}\``).join(', ')
  const verb = filters.length === 1 ? 'differs' : 'differ'
  return `${names} ${verb} from the page that gave this cursor. Repeat the filters of that page, or start again without the cursor.`
}

/** Of rows read up to one beyond the limit: those to show, and the cursor behind the last of them if there are more. */
export function toPage<Row>(
  { cursors }: { cursors: Cursors },
  rows: readonly Row[],
  { limit, boundTo, positionOf }: { limit: number; boundTo: BoundTo; positionOf: (row: Row) => Position },
) {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const next_cursor = last === undefined ? null : cursors.seal(positionOf(last), boundTo)
  return { shown, pagination: { limit, has_more: last !== undefined, next_cursor } }
}
