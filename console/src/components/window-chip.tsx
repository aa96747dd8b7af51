import { useSyncExternalStore } from 'react'
import { Chip } from './chip.tsx'
import { currentTime, onTick } from './time.tsx'
import { windowLeft } from './window-left.ts'

type Window = { state: 'open' | 'closed' | 'unknown'; expires_at: string | null }

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
