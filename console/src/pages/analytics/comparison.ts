import {
  formatChange,
  formatNumber,
  formatPercent,
  formatPoints,
  formatSeconds,
} from '../../components/format-number.ts'
import type { Analytics } from './analytics-figures.ts'
import { dateIn, shiftDay } from './analytics-query.ts'

type Totals = Analytics['totals']
const dayMs = 86_400_000

/** As many days, directly before. Of a range that ends with today, the last day counts up to the same time of day. */
export function previousQuery({ from, to, timezone }: Pick<Analytics, 'from' | 'to' | 'timezone'>, isGrowing: boolean) {
  const first = dateIn(timezone, Date.parse(from))
  const last = dateIn(timezone, Date.parse(to) - 1)
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1
  const sameTime = new Date(Date.parse(to) - days * dayMs).toISOString()
  return { from: shiftDay(first, -days), to: isGrowing ? sameTime : first, timezone, limit_groups: 1 }
}

/** The figures to compare with; null where nothing happened before, because every change would be endless. */
export function comparable(before: Totals | undefined): Totals | null {
  return before && before.created + before.received > 0 ? before : null
}

export type Change = { text: string; was: string }

export function countChange(now: number, before: number | undefined): Change | null {
  if (before === undefined) return null
  return { text: formatChange(now, before) ?? '', was: formatNumber(before) }
}

export function rateChange(now: number | null, before: number | null | undefined): Change | null {
  if (now === null || before === null || before === undefined) return null
  return { text: formatPoints(now, before), was: formatPercent(before) }
}

export function secondsChange(now: number | null, before: number | null | undefined): Change | null {
  if (now === null || before === null || before === undefined) return null
  return { text: formatChange(now, before) ?? '', was: formatSeconds(before) }
}
