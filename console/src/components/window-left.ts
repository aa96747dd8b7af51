const minuteMs = 60_000
const units = (unit: 'hour' | 'minute') => new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'short' })
const hours = units('hour')
const minutes = units('minute')

/** How long a window stays open, as in "23 hr 58 min"; what has less than a minute left is closing. */
export function windowLeft(expiresAt: string, now: number): string {
  const left = Math.floor((Date.parse(expiresAt) - now) / minuteMs)
  if (left < 1) return 'less than a minute'
  const [whole, rest] = [Math.floor(left / 60), left % 60]
  if (whole === 0) return minutes.format(rest)
  return rest === 0 ? hours.format(whole) : `${hours.format(whole)} ${minutes.format(rest)}`
}
