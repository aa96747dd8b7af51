import { messageStatus } from '../../texts.ts'

type Entry = { status: string; at: string; inferred: boolean }

export type Step = {
  status: string
  title: string
  at: string
  inferred: boolean
  /** Since the step before; null for the first. */
  after: string | null
}

/** The gateway's word for the first step; the rest are the statuses. */
const titles: Record<string, string> = { ...messageStatus, queued: 'Accepted' }

/**
 * Each step once, when it was first known: the platform repeats what it said, and confirms what it had accepted. It
 * counts whole seconds, so a step may seem to lie before the one that led to it: then it is shown at the same time.
 */
export function timelineSteps(history: readonly Entry[]): Step[] {
  const steps: Step[] = []
  for (const { status, at: reported, inferred } of history) {
    if (steps.some((step) => step.status === status)) continue
    const before = steps.at(-1)
    const waitedMs = before ? Math.max(0, Date.parse(reported) - Date.parse(before.at)) : null
    const at = before && waitedMs === 0 ? before.at : reported
    const after = waitedMs === null ? null : distance(waitedMs)
    steps.push({ status, title: titles[status] ?? status, at, inferred, after })
  }
  return steps
}

/** +0.13 s, +3.0 s, +1 m 39 s, +2 h 5 m. */
export function distance(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 1) return `+${seconds.toFixed(2)} s`
  if (seconds < 60) return `+${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `+${minutes} m ${Math.floor(seconds % 60)} s`
  return `+${Math.floor(minutes / 60)} h ${minutes % 60} m`
}
