import { useQuery } from '@tanstack/react-query'
import { api, call } from './api.ts'
import { usePreferences } from './preferences.ts'
import { type SampleWorld, sampleKey } from './samples.ts'
import { useMay, useSession } from './session.ts'

/** What samples are filled with: the address of this gateway, and the API key whose secret the reader has. */
export function useSampleWorld(): SampleWorld {
  const { base_url: baseUrl } = useSession()
  const keys = useQuery({ ...keysQuery, enabled: useMay('keys:read') })
  const { savedKeys } = usePreferences()
  return { baseUrl, apiKey: sampleKey(keys.data?.keys ?? [], savedKeys) }
}

export const keysQuery = {
  queryKey: ['keys'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(api.GET('/console/api/keys', { signal })),
  staleTime: 60_000,
}
