export type Step = {
  what: string
  done: number
  total: number | null
  unit: 'bytes' | 'values'
  startedMs: number
}

/** Before that a rate says nothing. */
const rateAfterMs = 1_000
const barCharsMin = 10
const barCharsMax = 30

/** What is going on, in at most `width` characters: what does not fit is left out, the least important first. */
export function progressLine(step: Step, nowMs: number, width: number): string {
  const { what, done, total, unit } = step
  const elapsedMs = nowMs - step.startedMs
  const perSecond = elapsedMs >= rateAfterMs ? (done * 1_000) / elapsedMs : 0
  const share = total === null ? null : total === 0 ? 1 : Math.min(done / total, 1)
  const left = total !== null && perSecond > 0 ? `${clock((total - done) / perSecond)} left` : null
  const byImportance = [
    share === null ? null : `${Math.floor(share * 100)}%`,
    amount(done, total, unit),
    total === null ? clock(elapsedMs / 1_000) : left,
    perSecond > 0 && unit === 'bytes' ? `${size(perSecond)}/s` : null,
  ]
  let line = what.slice(0, width)
  for (const part of byImportance) {
    if (part !== null && line.length + 2 + part.length <= width) line += `  ${part}`
  }
  const room = Math.min(width - line.length - 4, barCharsMax)
  return share === null || room < barCharsMin ? line : `${line}  ${bar(share, room)}`
}

function bar(share: number, chars: number): string {
  const full = Math.round(share * chars)
  return `[${'='.repeat(full)}${' '.repeat(chars - full)}]`
}

function amount(done: number, total: number | null, unit: Step['unit']): string | null {
  if (unit === 'bytes') return total === null ? (done > 0 ? size(done) : null) : `${size(done)} of ${size(total)}`
  return total === null ? `${done} ${unit}` : `${done} of ${total}`
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${Math.round(bytes)} B`
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(0)} kB`
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}
