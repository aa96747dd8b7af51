import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import { usePreferences } from '../preferences.ts'
import { relativeTime } from './relative-time.ts'

const tickMs = 10_000
const listeners = new Set<() => void>()
let now = Date.now()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, tickMs)

export function currentTime(): number {
  return now
}

const TimeStops = createContext(true)

/** Around what takes the focus itself, such as a row: the times in it show themselves with it and are no stops. */
export function TimesInside({ children }: { children: ReactNode }) {
  return <TimeStops value={false}>{children}</TimeStops>
}

/** "2 minutes ago"; the exact time on hover, focus and touch, in the viewer's zone or in UTC as the viewer likes. */
export function RelativeTime({ at }: { at: string }) {
  const current = useSyncExternalStore(onTick, currentTime)
  return <Shown at={at} text={() => relativeTime(Date.parse(at), Math.max(current, Date.now()))} />
}

/** In a log, where rows stand close together: the time of day to the second, with the day once it is not today's. */
export function LogTime({ at }: { at: string }) {
  const current = useSyncExternalStore(onTick, currentTime)
  const text = (utc: boolean) => {
    const time = format(at, secondsClock, utc)
    const isToday = dayText(at, utc) === dayText(current, utc)
    return isToday ? time : `${format(at, { day: 'numeric', month: 'short' }, utc)}, ${time}`
  }
  return <Shown at={at} text={text} />
}

/** In the corner of a row: today the time, this week the day, before that the date. */
export function ShortTime({ at, now: current }: { at: string; now: number }) {
  const text = (utc: boolean) => {
    if (dayText(at, utc) === dayText(current, utc)) return clockText(at, utc)
    const isRecent = current - Date.parse(at) < 6 * 86_400_000
    return format(at, isRecent ? { weekday: 'short' } : { day: 'numeric', month: 'short' }, utc)
  }
  return (
    <TimesInside>
      <Shown at={at} text={text} />
    </TimesInside>
  )
}

/** "Today", "Yesterday", or the date: between the messages of two days. */
export function dayName(at: string, current: number, utc: boolean): string {
  const day = dayText(at, utc)
  if (day === dayText(current, utc)) return 'Today'
  return day === dayText(current - 86_400_000, utc) ? 'Yesterday' : day
}

/** A day, as in "3 Oct 2026". */
export function DayOf({ at }: { at: string }) {
  return <Shown at={at} text={(utc) => dayText(at, utc)} />
}

type ClockProps = {
  at: string | number
  /** Milliseconds, for steps that lie close together. */
  precise?: boolean
  /** The day before the time. */
  day?: boolean
}

/** The time of day, as in "10:30". */
export function ClockTime({ at, precise = false, day = false }: ClockProps) {
  const instant = typeof at === 'number' ? new Date(at).toISOString() : at
  const text = (utc: boolean) => (precise ? format(at, preciseClock, utc) : clockText(at, utc))
  return <Shown at={instant} text={(utc) => `${day ? `${dayText(at, utc)}, ` : ''}${text(utc)}`} />
}

export function ExactTime({ at }: { at: string }) {
  const { utc } = usePreferences()
  return <time dateTime={at}>{absoluteTime(at, utc)}</time>
}

function Shown({ at, text }: { at: string; text: (utc: boolean) => string }) {
  const { utc } = usePreferences()
  const isStop = useContext(TimeStops)
  const exact = absoluteTime(at, utc)
  return (
    <time dateTime={at} title={exact} data-exact={exact} className="time" tabIndex={isStop ? 0 : undefined}>
      {text(utc)}
    </time>
  )
}

const clock = { hour: '2-digit', minute: '2-digit' } as const
const secondsClock = { ...clock, second: '2-digit' } as const
const preciseClock = { ...secondsClock, fractionalSecondDigits: 3 } as const

/** For labels of charts, where no element can stand. */
export function clockText(at: string | number, utc: boolean): string {
  return format(at, clock, utc)
}

export function dayText(at: string | number, utc: boolean): string {
  return format(at, { day: 'numeric', month: 'short', year: 'numeric' }, utc)
}

function absoluteTime(at: string, utc: boolean): string {
  const time = format(at, secondsClock, utc)
  return `${dayText(at, utc)}, ${time}${utc ? ' UTC' : ''}`
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Making a formatter costs more than drawing the row it is for, so each is made once. */
function format(at: string | number, options: Intl.DateTimeFormatOptions, utc: boolean): string {
  const name = `${utc} ${Object.entries(options).join()}`
  const zone = utc ? { timeZone: 'UTC' } : {}
  const formatter = formatters.get(name) ?? new Intl.DateTimeFormat('en-GB', { ...options, ...zone })
  formatters.set(name, formatter)
  return formatter.format(new Date(at))
}

/** For everything that changes as time goes by; one tick for all. */
export function onTick(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
