import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api, call } from '../../api.ts'
import { comparable } from '../../components/chart/change.ts'
import { currentTime, onTick } from '../../components/time.tsx'
import { useMay } from '../../session.ts'

const quarterHourMs = 900_000
const dayMs = 86_400_000

/** The same figures one day earlier. They come later and change every quarter of an hour, as figures are kept. */
export function useDayBefore() {
  const enabled = useMay('analytics:read')
  const now = useSyncExternalStore(onTick, currentTime)
  const to = Math.floor(now / quarterHourMs) * quarterHourMs - dayMs
  const before = useQuery({
    queryKey: ['day-before', to],
    queryFn: ({ signal }) => {
      const range = { from: new Date(to - dayMs).toISOString(), to: new Date(to).toISOString() }
      const query = { ...range, granularity: 'hour' as const, points: false }
      return call(api.GET('/console/api/analytics', { params: { query }, signal }))
    },
    enabled,
  })
  return comparable(before.data?.totals)
}
