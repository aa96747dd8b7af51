import { useQuery } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { useLiveInterval } from '../../live-state.ts'

/** Tools call without an event on the stream. */
const lookMs = 5_000

export function useConnections() {
  return useQuery({
    queryKey: ['connections', 'list'],
    queryFn: ({ signal }) => call(api.GET('/console/api/connections', { signal })),
    refetchInterval: useLiveInterval(lookMs),
  })
}

export function useConnection(id: string) {
  return useQuery({
    queryKey: ['connections', 'one', id],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/connections/{connection_id}', { params: { path: { connection_id: id } }, signal })),
    refetchInterval: useLiveInterval(lookMs),
  })
}
