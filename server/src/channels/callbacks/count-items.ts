import type { CallbackItem } from '../../platform/callback-item.ts'
import type { Runtime } from '../../runtime.ts'
import type { DispatchOutcome } from './dispatch-items.ts'
import { isDone } from './item-state.ts'

type Outcome = DispatchOutcome | 'no_place'

/** Every received item ends in a countable state; what waits is counted when it is settled. */
export function countItems(
  rt: Runtime,
  entries: readonly { readonly item: CallbackItem }[],
  outcomes: readonly Outcome[],
): void {
  const now = rt.clock.now()
  const byKind = Map.groupBy(entries.entries(), ([, { item }]) => item.kind)
  for (const [kind, group] of byKind) {
    const settled = group.filter(([index]) => !waits(outcomes[index]))
    const ok = settled.filter(([index]) => isDone(outcomes[index])).length
    if (ok > 0) rt.metrics.channelEventsReceived.inc({ kind, outcome: 'ok' }, ok)
    const unknown = settled.length - ok
    if (unknown > 0) rt.metrics.channelEventsReceived.inc({ kind, outcome: 'unknown' }, unknown)
    for (const [, { item }] of settled) {
      if ('at' in item && item.at !== null) rt.metrics.channelEventLag.observe({}, Math.max(now - item.at, 0) / 1_000)
    }
  }
}

/** Repeats are dropped before anybody looks at what they are. */
export function countRepeats(rt: Runtime, count: number): void {
  if (count > 0) rt.metrics.channelEventsReceived.inc({ kind: 'any', outcome: 'duplicate' }, count)
}

function waits(outcome: Outcome | undefined): boolean {
  return outcome === 'unmatched' || outcome === 'failed' || outcome === 'ask'
}
