import { dayMs } from './durations.ts'

/** The calendar day of an instant in the zone, as the start of that day in UTC. An unknown zone counts as UTC. */
export function calendarDayOf(ms: number, timeZone: string): number {
  const zone = openZone(timeZone)
  return Math.floor((zone ? wallOf(zone, ms) : ms) / dayMs) * dayMs
}

export type Zone = Intl.DateTimeFormat

// Making one takes as long as asking it a hundred times. People use a few zones, in a few spellings.
const zones = new Map<string, Zone>()
const zonesMax = 64

export function openZone(timeZone: string): Zone | null {
  const known = zones.get(timeZone)
  if (known) return known
  // `Intl` also takes bare offsets; they are no zones, they know no clock changes.
  if (!/^[A-Za-z]/.test(timeZone)) return null
  try {
    const zone = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    if (zones.size >= zonesMax) zones.clear()
    zones.set(timeZone, zone)
    return zone
  } catch {
    return null
  }
}

/** Local time written as if it were UTC: calendar arithmetic on it needs no zone. */
export function wallOf(zone: Zone, ms: number): number {
  return ms + offsetAt(zone, ms)
}

export function offsetAt(zone: Zone, ms: number): number {
  // `longOffset` ends in GMT, GMT+05:45 or, for years before standard time, GMT-00:44:30.
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(zone.format(ms)) ?? []
  if (!sign) return 0
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -offset : offset) * 1000
}
