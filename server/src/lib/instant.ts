import { minuteMs } from './durations.ts'

export type CalendarDate = { year: number; month: number; day: number }

/**
 * Epoch milliseconds of an RFC 3339 date-time with any offset and 0 to 9 decimals, or of a bare date (its start in UTC).
 * Null when the text is neither, or names a day or time that does not exist. Digits below a millisecond are cut, never
 * rounded, so an instant is never moved past the one it was compared with.
 */
export function parseInstant(input: string): number | null {
  const date = parseDate(input)
  if (date) return startOfUtcDay(date)
  const match = dateTimePattern.exec(input)
  if (!match) return null
  const [, day = '', hour, minute, second, decimals = '', zone = ''] = match
  const start = parseInstant(day)
  const offsetMs = parseOffset(zone)
  if (start === null || offsetMs === null) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const wholeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return start + wholeMs + Number(decimals.slice(0, 3).padEnd(3, '0')) - offsetMs
}

/** The moments of a minute share the beginning of their texts: `toISOString` makes all of it anew. */
let last = { minute: Number.NaN, text: '' }

/** UTC with exactly three decimals and `Z`, the only form the API writes; null for what has not happened. */
export function formatInstant(ms: number): string
export function formatInstant(ms: number | null): string | null
export function formatInstant(ms: number | null): string | null {
  if (ms === null) return null
  const whole = Math.trunc(ms)
  const minute = Math.floor(whole / minuteMs)
  if (minute !== last.minute)
    last = { minute, text: new Date(minute * minuteMs).toISOString().slice(0, -'00.000Z'.length) }
  const rest = whole - minute * minuteMs
  const seconds = Math.floor(rest / 1_000)
  return `${last.text}${padded(seconds, 2)}.${padded(rest - seconds * 1_000, 3)}Z`
}

function padded(count: number, digits: 2 | 3): string {
  const zeros = count < 10 ? '00' : count < 100 ? '0' : ''
  return digits === 3 ? `${zeros}${count}` : `${zeros.slice(1)}${count}`
}

/** A bare `YYYY-MM-DD`, for parameters where a day is meant and its start depends on a time zone. */
export function parseDate(input: string): CalendarDate | null {
  const match = datePattern.exec(input)
  if (!match) return null
  const date = { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) }
  const real = new Date(startOfUtcDay(date))
  return real.getUTCMonth() + 1 === date.month && real.getUTCDate() === date.day ? date : null
}

export function startOfUtcDay(date: CalendarDate): number {
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(date.year, date.month - 1, date.day)
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTimePattern = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

function parseOffset(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(4))
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * minuteMs
}
