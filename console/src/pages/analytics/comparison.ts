import type { Analytics } from './analytics-figures.ts'
import { dateIn, shiftDay } from './analytics-query.ts'

const dayMs = 86_400_000

/** As many days, directly before. Of a range that ends with today, the last day counts up to the same time of day. */
export function previousQuery({ from, to, timezone }: Pick<Analytics, 'from' | 'to' | 'timezone'>, isGrowing: boolean) {
  const first = dateIn(timezone, Date.parse(from))
  const last = dateIn(timezone, Date.parse(to) - 1)
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  const sameTime = new Date(Date.parse(to) - days * dayMs).toISOString()
  return { from: shiftDay(first, -days), to: isGrowing ? sameTime : first, timezone, limit_groups: 1 }
}
