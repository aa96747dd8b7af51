import { type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api.ts'
import { isDeep, liveState } from './live-state.ts'

/** Old data stays on screen while new data is fetched; refusals are not repeated, a lost connection is, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && error instanceof ApiFailure && error.code === 'no_answer',
      refetchOnMount: (query) => !isDeep(query as Query),
      refetchOnWindowFocus: (query) => liveState() !== 'paused' && !isDeep(query as Query),
      refetchOnReconnect: (query) => liveState() !== 'paused' && !isDeep(query as Query),
    },
  },
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      if (queryKey[0] !== 'session') noticeSignOut(error)
    },
  }),
})

const outsideCodes = ['missing_credentials', 'two_factor_setup_required']

/** The session ended or lost its second factor elsewhere: ask for it again, and the application shows the right form. */
export function noticeSignOut(error: unknown): void {
  if (error instanceof ApiFailure && outsideCodes.includes(error.code)) {
    void queryClient.invalidateQueries({ queryKey: ['session'] })
  }
}
