import { Notice } from '../components/state.tsx'
import { useLiveState } from '../live-state.ts'

/** On pages without a mark of their own nothing else tells that the gateway is gone until something is asked of it. */
export function ConnectionBanner() {
  if (useLiveState() !== 'lost') return null
  return (
    <div className="banner connection-banner" role="status">
      <Notice tone="warn" icon="alert">
        The gateway is not responding. This page may be out of date; the console keeps retrying.
      </Notice>
    </div>
  )
}
