import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api.ts'

/** Old data stays on screen while new data is fetched; refusals are not repeated, a lost connection is, twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && error instanceof ApiFailure && error.code === 'no_answer',
      refetchOnWindowFocus: true,
    },
  },
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
})

/** The session ended elsewhere: ask for it again, and the application shows the sign-in form. */
function noticeSignOut(error: Error, ...[query]: unknown[]): void {
  const isSession = (query as { queryKey?: unknown[] } | undefined)?.queryKey?.[0] === 'session'
  if (!isSession && error instanceof ApiFailure && error.code === 'missing_credentials') {
    void queryClient.invalidateQueries({ queryKey: ['session'] })
  }
}
