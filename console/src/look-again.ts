import type { Query } from '@tanstack/react-query'
import { askAgain } from './ask-again.ts'
import { liveState } from './live-state.ts'
import { queryClient } from './query-client.ts'

/** Asks again for what matches, unless the person paused it. */
export function lookAgain(matches: (query: Query) => boolean): void {
  if (liveState() === 'paused') return
  for (const query of queryClient.getQueryCache().findAll({ predicate: matches })) void askAgain(queryClient, query)
}
