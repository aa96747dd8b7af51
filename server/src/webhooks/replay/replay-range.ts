import { dayMs, minuteMs } from '../../lib/durations.ts'
import { createIds } from '../../lib/ids.ts'

export type ReplayRange = { since: number; until: number; first_id: string; last_id: string }

/** `dlv_` and ten digits of time. */
const timeLength = 14

/**
 * A range of time as a range of the index: ids begin with their time. It was read a moment before the delivery's own, and
 * is ahead of it where a clock was set back, so the ids reach further than the times, by a minute and by a day.
 */
export function replayRange({ since, until }: { since: number; until: number }): ReplayRange {
  return { since, until, first_id: idAt(since - minuteMs), last_id: idAt(until + dayMs) }
}

function idAt(at: number): string {
  return createIds({ now: () => Math.max(0, at) })('dlv').slice(0, timeLength)
}
