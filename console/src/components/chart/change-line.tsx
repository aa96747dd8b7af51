import type { Change } from './change.ts'

/** It comes after the figures, so its line is there from the start: nothing moves. */
export function ChangeLine({ change }: { change: Change | null }) {
  if (!change) return <span className="small">&nbsp;</span>
  return (
    <span className="small" title="Compared with the previous period of the same length">
      {change.text} <span className="muted">was {change.was}</span>
    </span>
  )
}
