import type { Query, QueryClient } from '@tanstack/react-query'
import { isDeep } from './live-state.ts'

/** Queries that are being asked because something changed, and whether it changed again meanwhile. */
const asking = new WeakMap<Query, { again: boolean }>()

/**
 * Asks again for what is shown; what is not shown is asked when it is opened. An answer under way is never thrown away:
 * changes that come faster than answers would leave the page without any. It may be older than the change, though, so one
 * more question follows it.
 */
export async function askAgain(client: QueryClient, query: Query): Promise<void> {
  if (isDeep(query)) return
  const running = asking.get(query)
  if (running) {
    running.again = true
    return
  }
  const round = { again: false }
  asking.set(query, round)
  do {
    const wasAsked = query.state.fetchStatus === 'fetching'
    round.again = false
    await client.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    // Still fetching: a request for older rows replaced this one.
    if (wasAsked || query.state.fetchStatus === 'fetching') round.again = true
  } while (round.again && isShown(client, query))
  asking.delete(query)
  // Its page was left meanwhile: what it has is older than the change, and must not pass for fresh when the page is opened.
  if (round.again) query.invalidate()
}

/** One that was removed can still have a page, for the moment until that is drawn again. */
function isShown(client: QueryClient, query: Query): boolean {
  return query.isActive() && client.getQueryCache().get(query.queryHash) === query
}
