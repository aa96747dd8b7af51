import { AppError } from './contract/app-error.ts'
import { formatInstant } from './lib/instant.ts'
import type { BoundTo, Cursors, Opened, Position, Refused } from './store/engine/cursor.ts'
import type { Found, Listing, Stretch } from './store/engine/list.ts'

/** A page of a list; without a cursor, the first. */
export type PageRequest = { limit: number; cursor: string | null }

/** The end of the previous page; null for the first. `boundTo` is the list with its account and filters. */
export function openCursor(
  { cursors }: { cursors: Cursors },
  cursor: string | null | undefined,
  boundTo: BoundTo,
): Position | null {
  return cursor === null || cursor === undefined ? null : requireOpened({ cursors }, cursor, boundTo).position
}

/** The position in a cursor; throws if it belongs to another list or other filters. */
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

/**
 * A page of a list, with the cursor behind its last row if there are more. A page whose search ended before it was full says
 * how far it got, and its cursor goes on there, also when nothing was found.
 */
export async function readPage<Row>(
  tools: { cursors: Cursors },
  { along, time }: Pick<Listing<Row>, 'along' | 'time'>,
  { limit, cursor, boundTo }: PageRequest & { boundTo: BoundTo },
  read: (stretch: Stretch) => Promise<Found<Row>>,
) {
  const after = openCursor(tools, cursor, boundTo)
  const positionOf = (row: Row) => along.map((name) => row[name]) as unknown as Position
  const timeOf = (row: Row) => (time === null ? null : Number(row[time]))
  return toPage(tools, await read({ after, count: limit + 1 }), { limit, boundTo, positionOf, timeOf })
}

type Placed<Row> = { positionOf: (row: Row) => Position; timeOf: (row: Row) => number | null }

/** Of rows read up to one beyond the limit: those to show, and where the next page begins. */
export function toPage<Row>(
  { cursors }: { cursors: Cursors },
  { rows, edge }: Found<Row>,
  { limit, boundTo, positionOf, timeOf }: { limit: number; boundTo: BoundTo } & Placed<Row>,
) {
  const shown = rows.slice(0, limit)
  const more = rows.length > limit
  const last = more ? shown.at(-1) : edge
  const ended = last === undefined || last === null
  const searchedBackTo = more || edge === null ? null : formatInstant(timeOf(edge))
  return {
    shown,
    pagination: {
      limit,
      has_more: !ended,
      next_cursor: ended ? null : cursors.seal(positionOf(last), boundTo),
      ...(searchedBackTo === null ? {} : { searched_back_to: searchedBackTo }),
    },
  }
}

/** Stretches of several lists as one, as far as all of them were searched. */
export function mergeFound<Row>(founds: readonly Found<Row>[], compare: (a: Row, b: Row) => number): Found<Row> {
  const [edge = null] = founds.flatMap((found) => found.edge ?? []).sort(compare)
  const rows = founds.flatMap((found) => found.rows).sort(compare)
  return { rows: edge === null ? rows : rows.filter((row) => compare(row, edge) <= 0), edge }
}
