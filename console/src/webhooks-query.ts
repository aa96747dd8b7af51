import { useQuery } from '@tanstack/react-query'
import { api, call } from './api.ts'
import { useLiveInterval } from './live-state.ts'

/** Listeners come and go without an event on the stream. */
const lookMs = 5_000

/** All webhooks and listeners: shared by the list, the page of a receiver and the event log of the sandbox. */
export function useWebhooks(enabled = true) {
  return useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: ({ signal }) => call(api.GET('/console/api/webhooks', { signal })),
    enabled,
    refetchInterval: useLiveInterval(lookMs),
  })
}
