import { useQuery } from '@tanstack/react-query'
import { api, call } from '../../../api.ts'

export function useSavedReplies() {
  return useQuery({
    queryKey: ['inbox', 'saved-replies'],
    queryFn: ({ signal }) => call(api.GET('/console/api/saved-replies', { signal })),
    staleTime: 60_000,
  })
}
