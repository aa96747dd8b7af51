import { useQuery } from '@tanstack/react-query'
import { api, call } from './api.ts'
import type { SampleWorld } from './samples.ts'
import { useMay, useSession } from './session.ts'

/** What samples are filled with: the address of this gateway, and a living key where the role may see one. */
export function useSampleWorld(): SampleWorld {
  const { base_url: baseUrl } = useSession()
  const keys = useQuery({ ...keysQuery, enabled: useMay('keys:read') })
  const apiKey = keys.data?.keys.find(({ status }) => status === 'active')?.key ?? 'YOUR_API_KEY'
  return { baseUrl, apiKey }
}

export const keysQuery = {
  queryKey: ['keys'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(api.GET('/console/api/keys', { signal })),
  staleTime: 60_000,
}
