import { useSyncExternalStore } from 'react'
import { Chip } from './chip.tsx'
import { currentTime, onTick } from './time.tsx'
import { windowLeft } from './window-left.ts'

type Window = { state: 'open' | 'closed' | 'unknown'; expires_at: string | null }

const closingMs = 4 * 3_600_000

/** Only once the window is about to close: until then it says nothing that a row needs. */
export function ClosingChip({ window, now }: { window: Window; now: number }) {
  const { state, expires_at: expiresAt } = window
  const left = state === 'open' && expiresAt !== null ? Date.parse(expiresAt) - now : 0
  if (left <= 0 || left > closingMs || expiresAt === null) return null
  return (
    <span title="The 24-hour window closes">
      <Chip tone="warn" icon="clock">{`${windowLeft(expiresAt, now)} left`}</Chip>
    </span>
  )
}

/** Whether a customer may be answered freely, and for how long. It closes before the reader's eyes. */
export function WindowChip({ window }: { window: Window }) {
  const now = useSyncExternalStore(onTick, currentTime)
  const { state, expires_at: expiresAt } = window
  if (state === 'open' && expiresAt !== null && Date.parse(expiresAt) > now) {
    return <Chip tone="ok" icon="clock">{`Open: ${windowLeft(expiresAt, now)} left`}</Chip>
  }
  if (state === 'unknown') {
    return (
      <Chip tone="neutral" icon="help">
        Window not known
      </Chip>
    )
  }
  return (
    <Chip tone="warn" icon="lock">
      Templates only
    </Chip>
  )
}
