import type { Schemas } from '../../api.ts'
import { formatChange, formatNumber, formatPercent, formatPoints, formatSeconds } from '../format-number.ts'

type Totals = Schemas['Analytics']['totals']

/** How a figure differs from the same figure of the period before. */
export type Change = { text: string; was: string }

/** The figures to compare with; null where nothing happened before, because every change would be endless. */
export function comparable(before: Totals | undefined): Totals | null {
  return before && before.created + before.received > 0 ? before : null
}

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
