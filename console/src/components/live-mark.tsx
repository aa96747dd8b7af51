import type { ReactNode } from 'react'
import { type LiveState, setPaused, useLiveState } from '../live-state.ts'
import { Button } from './form/button.tsx'

const words: Record<LiveState, string> = {
  opening: 'Connecting',
  open: 'Live',
  unreadable: 'Not up to date, trying again',
  lost: 'Connection lost, trying again',
  paused: 'Paused',
}

/** Whether what is shown follows the gateway, and the switch that makes every page of this window stand still. */
export function LiveMark({ children }: { children?: ReactNode }) {
  const state = useLiveState()
  const isPaused = state === 'paused'
  return (
    <div className="live-line">
      <span className="live-state" role="status">
        <span className="live-dot" data-state={state} aria-hidden="true" />
        {words[state]}
      </span>
      <Button kind="quiet" icon={isPaused ? 'play' : 'pause'} onClick={() => setPaused(!isPaused)}>
        {isPaused ? 'Follow updates' : 'Pause updates'}
      </Button>
      {children}
    </div>
  )
}
