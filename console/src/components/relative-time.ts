const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number, upTo: number][] = [
  ['minute', 60, 3_600],
  ['hour', 3_600, 86_400],
  ['day', 86_400, 45 * 86_400],
  ['month', 30 * 86_400, 545 * 86_400],
  ['year', 365 * 86_400, Number.POSITIVE_INFINITY],
]
const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** Whole units, cut and not rounded: what happened 119 minutes ago was 1 hour ago. */
export function relativeTime(at: number, now: number): string {
  const seconds = (at - now) / 1_000
  const distance = Math.abs(seconds)
  if (distance < 10) return seconds > 0 ? 'in a moment' : 'just now'
  if (distance < 60) return formatter.format(Math.trunc(seconds), 'second')
  const [unit, length] = steps.find(([, , upTo]) => distance < upTo) ?? (['year', 365 * 86_400] as const)
  return formatter.format(Math.trunc(seconds / length), unit)
}
