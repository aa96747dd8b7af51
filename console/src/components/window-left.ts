const minuteMs = 60_000
const units = (unit: 'hour' | 'minute') => new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'short' })
const hours = units('hour')
const minutes = units('minute')

/** How long a customer has waited, in the largest whole unit, as in "3 h"; less than a minute is no wait yet. */
export function waitedSince(since: string, now: number): string | null {
  const waited = Math.floor((now - Date.parse(since)) / minuteMs)
  if (waited < 1) return null
  if (waited < 60) return `${waited} min`
  return waited < 24 * 60 ? `${Math.floor(waited / 60)} h` : `${Math.floor(waited / (24 * 60))} d`
}

/** How long a window stays open, as in "23 hr 58 min"; what has less than a minute left is closing. */
export function windowLeft(expiresAt: string, now: number): string {
  const left = Math.floor((Date.parse(expiresAt) - now) / minuteMs)
  if (left < 1) return 'less than a minute'
  const [whole, rest] = [Math.floor(left / 60), left % 60]
  if (whole === 0) return minutes.format(rest)
  return rest === 0 ? hours.format(whole) : `${hours.format(whole)} ${minutes.format(rest)}`
}
