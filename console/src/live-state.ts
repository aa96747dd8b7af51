import { useSyncExternalStore } from 'react'

type Connection = 'opening' | 'open' | 'unreadable' | 'lost'

/** Whether this window follows the gateway: it does, it cannot be told or cannot read, or the person paused it. */
export type LiveState = Connection | 'paused'

let connection: Connection = 'opening'
let hasFailedReads = false
let isPaused = false
const listeners = new Set<() => void>()

export function useLiveState(): LiveState {
  return useSyncExternalStore(onLiveChange, liveState)
}

/** What is shown is up to date only while changes are announced and what they announce can be read. */
export function liveState(): LiveState {
  if (isPaused) return 'paused'
  return connection === 'open' && hasFailedReads ? 'unreadable' : connection
}

export function setConnection(next: Connection): void {
  connection = next
  announce()
}

export function setFailedReads(next: boolean): void {
  if (next === hasFailedReads) return
  hasFailedReads = next
  announce()
}

/** One switch for every page of this window: nothing changes by itself until it is switched on again (WCAG 2.2.2). */
export function setPaused(next: boolean): void {
  isPaused = next
  announce()
}

export function onLiveChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Every page of a list is one request at each look; a list this long stands still instead. */
const followedPagesMax = 4

type Listed = { state: { data: unknown } }

export function isDeep({ state }: Listed): boolean {
  const pages = (state.data as { pages?: readonly unknown[] } | undefined)?.pages
  return pages !== undefined && pages.length > followedPagesMax
}

/** For `refetchInterval`, where no announcement tells of a change. */
export function useLiveInterval(ms: number): (query: Listed) => number | false {
  const stands = useLiveState() === 'paused'
  return (query) => (stands || isDeep(query) ? false : ms)
}

function announce(): void {
  for (const listener of listeners) listener()
}
