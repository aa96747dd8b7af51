const whole = new Intl.NumberFormat('en')
const oneDecimal = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
const changes = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
const points = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' })

/** "10,738". */
export function formatNumber(value: number): string {
  return whole.format(value)
}

/** "96.6%" of 96.6; a rate without messages is not 0, it is nothing. */
export function formatPercent(value: number | null): string {
  return value === null ? '–' : percents.format(value / 100)
}

export function formatSeconds(value: number | null): string {
  return value === null ? '–' : `${oneDecimal.format(value)} s`
}

/** "+12%": how much larger than before. Of nothing there is no percentage. */
export function formatChange(now: number, before: number): string | null {
  return before === 0 ? null : changes.format(now / before - 1)
}

/** "+1.2 points": two percentages are subtracted, because "+1%" of 50% could mean two things. */
export function formatPoints(now: number, before: number): string {
  return `${points.format(now - before)} points`
}

/** Milliseconds up to a second, then seconds. */
export function formatDuration(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : formatSeconds(ms / 1_000)
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** `1.5 GiB`: as the limits of plans are named. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), byteUnits.length - 1)
  return `${formatNumber(Math.round((bytes / 1_024 ** step) * 10) / 10)} ${byteUnits[step]}`
}
