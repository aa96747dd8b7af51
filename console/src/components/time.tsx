import { useSyncExternalStore } from 'react'
import { preferences, usePreferences } from '../preferences.ts'
import { relativeTime } from './relative-time.ts'

const tickMs = 10_000
const listeners = new Set<() => void>()
let now = Date.now()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, tickMs)

/** "2 minutes ago"; the exact time on hover, in the viewer's zone or in UTC as the viewer likes. */
export function RelativeTime({ at }: { at: string }) {
  const current = useSyncExternalStore(subscribe, () => now)
  const { utc } = usePreferences()
  return (
    <time dateTime={at} title={absoluteTime(at, utc)} className="nowrap">
      {relativeTime(Date.parse(at), Math.max(current, Date.now()))}
    </time>
  )
}

export function ExactTime({ at }: { at: string }) {
  const { utc } = usePreferences()
  return <time dateTime={at}>{absoluteTime(at, utc)}</time>
}

/** A day, as in "3 Oct 2026". */
export function DayOf({ at }: { at: string }) {
  const { utc } = usePreferences()
  const text = format(at, { day: 'numeric', month: 'short', year: 'numeric' }, utc)
  return (
    <time dateTime={at} title={absoluteTime(at, utc)} className="nowrap">
      {text}
    </time>
  )
}

export function clockTime(at: number): string {
  return format(at, { hour: '2-digit', minute: '2-digit' }, preferences().utc)
}

/** For steps that lie close together. */
export function clockSeconds(at: string): string {
  const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const
  return format(at, options, preferences().utc)
}

export function absoluteTime(at: string, utc: boolean): string {
  const day = format(at, { day: 'numeric', month: 'short', year: 'numeric' }, utc)
  const time = format(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, utc)
  return `${day}, ${time}${utc ? ' UTC' : ''}`
}

function format(at: string | number, options: Intl.DateTimeFormatOptions, utc: boolean): string {
  const zone = utc ? { timeZone: 'UTC' } : {}
  return new Intl.DateTimeFormat('en-GB', { ...options, ...zone }).format(new Date(at))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
