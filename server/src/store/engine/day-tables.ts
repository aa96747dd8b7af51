import { dayMs } from '../../lib/durations.ts'
import { firstIdAt, type IdPrefix } from '../../lib/ids.ts'

/**
 * Tables of what only grows and goes by age, whose ids begin with the time of arrival. PostgreSQL keeps each day in a
 * partition of its own, so that the oldest is dropped without being read; SQLite has no partitions, and deletes a range
 * of ids in batches. See docs/decisions/0013.
 */
export const dayTables = {
  events: { column: 'id', prefix: 'evt' },
  request_log: { column: 'id', prefix: 'req' },
  deliveries: { column: 'id', prefix: 'dlv' },
  attempts: { column: 'delivery_id', prefix: 'dlv' },
} as const satisfies Record<string, { column: string; prefix: IdPrefix }>

export type DayTable = keyof typeof dayTables

export const dayTableNames = Object.keys(dayTables) as DayTable[]

export function isDayTable(name: string | undefined): name is DayTable {
  return name !== undefined && name in dayTables
}

export type DayKeeper = {
  /** Makes room for today and the days to come, where an engine needs it. What exists stays. */
  make(now: number): Promise<void>
  /** Days after today that have room in every table; all of them where nobody has to make any. */
  ahead(now: number): Promise<number>
  /**
   * Deletes what arrived before a time. PostgreSQL goes by whole days, so a row may outlive it by one; nobody waits for it
   * on either engine.
   */
  drop(table: DayTable, before: number): Promise<void>
}

/** Days that have room before they come: a job that fails for a week is noticed in time. */
export const daysAhead = 7

/** Midnight in UTC, before or at a time. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs) * dayMs
}

/** The ids of one day of a table: from the first on, and before the last. */
export function idsOfDay(table: DayTable, day: number): { from: string; to: string } {
  const { prefix } = dayTables[table]
  return { from: firstIdAt(prefix, day), to: firstIdAt(prefix, day + dayMs) }
}
