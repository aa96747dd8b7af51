import { hourMs, minuteMs } from '../lib/durations.ts'

export type QuietHours = { from: string; to: string; time_zone: string }

export function readQuietHours({ from, to, time_zone }: QuietHours): QuietHours {
  return { from, to, time_zone }
}

const stepMs = 5 * minuteMs
const searchedMs = 48 * hourMs

/**
 * When something may be sent in all of these zones: now, or after the quiet hours of the last of them. Where the zones of a
 * country leave no such moment, the end of the quiet hours of the first one.
 */
export function dueAfterQuiet(now: number, quiet: QuietHours, zones: readonly string[]): number {
  if (zones.length === 0 || quiet.from === quiet.to) return now
  for (let at = now; at <= now + searchedMs; at = at === now ? nextStep(now) : at + stepMs) {
    if (zones.every((zone) => !isQuiet(at, quiet, zone))) return at
  }
  const [first = 'UTC'] = zones
  return dueAfterQuiet(now, quiet, [first])
}

/** Zones in which it must not be quiet for a recipient: their own, or all of their country. */
export function zonesOf(
  { time_zone }: QuietHours,
  group: { zone: string | null; country: string | null },
): readonly string[] {
  if (time_zone !== 'recipient') return [time_zone]
  if (group.zone !== null) return [group.zone]
  return group.country === null ? ['UTC'] : zonesOfCountry(group.country)
}

const zonesKnown = new Map<string, readonly string[]>()

function zonesOfCountry(country: string): readonly string[] {
  const known = zonesKnown.get(country)
  if (known) return known
  const zones = localeOf(country).getTimeZones?.() ?? ['UTC']
  zonesKnown.set(country, zones)
  return zones
}

/** The types of TypeScript do not know it yet. */
function localeOf(country: string): Intl.Locale & { getTimeZones?(): string[] | undefined } {
  return new Intl.Locale(`und-${country}`)
}

function nextStep(at: number): number {
  return at - (at % stepMs) + stepMs
}

function isQuiet(at: number, { from, to }: QuietHours, zone: string): boolean {
  const minutes = minutesOfDay(at, zone)
  const [start, end] = [minutesIn(from), minutesIn(to)]
  return start < end ? minutes >= start && minutes < end : minutes >= start || minutes < end
}

function minutesIn(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

const formats = new Map<string, Intl.DateTimeFormat>()

function minutesOfDay(at: number, zone: string): number {
  const known = formats.get(zone)
  const format =
    known ?? new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  if (!known) formats.set(zone, format)
  return minutesIn(format.format(at))
}
