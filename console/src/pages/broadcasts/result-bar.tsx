import type { Counts } from './broadcast-query.ts'
import { parts, shares } from './broadcast-texts.ts'

/** One bar for everybody, in the order of how far they are. */
export function ResultBar({ counts }: { counts: Counts }) {
  const own = shares(counts)
  let at = 0
  const done = counts.accepted - counts.waiting - counts.under_way
  return (
    // biome-ignore lint/a11y/useSemanticElements: the native one has no parts
    <svg
      className="result-bar"
      role="meter"
      aria-label="Recipients with a result"
      aria-valuemin={0}
      aria-valuemax={counts.accepted}
      aria-valuenow={done}
      preserveAspectRatio="none"
      viewBox={`0 0 ${Math.max(1, counts.accepted)} 1`}
    >
      {parts.map((part) => {
        const x = at
        at += own[part]
        return <rect key={part} className="result-part" data-result={part} x={x} width={own[part]} height="1" />
      })}
    </svg>
  )
}
