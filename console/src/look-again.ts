import type { Query } from '@tanstack/react-query'
import { isDeep, liveState } from './live-state.ts'
import { queryClient } from './query-client.ts'

/** Queries that are being asked because something changed, and whether it changed again meanwhile. */
const asking = new Map<string, { again: boolean }>()

/** Asks again for what is shown and matches; what is not shown is asked when it is opened. */
export function lookAgain(matches: (query: Query) => boolean): void {
  if (liveState() === 'paused') return
  for (const query of queryClient.getQueryCache().findAll({ predicate: matches })) void askAgain(query)
}

/**
 * An answer under way is never thrown away: changes that come faster than answers would leave the page without any. It
 * may be older than the change, though, so one more question follows it.
 */
async function askAgain(query: Query): Promise<void> {
  if (isDeep(query)) return
  const running = asking.get(query.queryHash)
  if (running) {
    running.again = true
    return
  }
  const round = { again: false }
  asking.set(query.queryHash, round)
  do {
    const wasAsked = query.state.fetchStatus === 'fetching'
    round.again = false
    await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    // Still fetching: a request for older rows replaced this one.
    if (wasAsked || query.state.fetchStatus === 'fetching') round.again = true
  } while (round.again && query.isActive())
  asking.delete(query.queryHash)
}
