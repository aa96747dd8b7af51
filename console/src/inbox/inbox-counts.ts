import { useQuery } from '@tanstack/react-query'
import { api, call } from '../api.ts'
import { useMay } from '../session.ts'

/** For the sidebar, the title, the icon, the tabs of the inbox and Home. */
export function useInboxCounts() {
  const enabled = useMay('conversations:read')
  return useQuery({
    queryKey: ['inbox', 'counts'],
    queryFn: ({ signal }) => call(api.GET('/console/api/inbox-counts', { signal })),
    enabled,
  }).data
}

export function useAssignees() {
  return useQuery({
    queryKey: ['inbox', 'assignees'],
    queryFn: ({ signal }) => call(api.GET('/console/api/assignees', { signal })),
    staleTime: 60_000,
  })
}

/** "3" or "10,000+": where there is more than was counted. */
export function countText(count: number, most: number): string {
  return count >= most ? `${most.toLocaleString('en')}+` : count.toLocaleString('en')
}
