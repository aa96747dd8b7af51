import { queryOptions } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'

export type Broadcast = Schemas['Broadcast']
export type Counts = Broadcast['counts']

/** Counts of the gateway are a second old; more often they do not change. */
const lookAgainMs = 2_000

export function broadcastQuery(id: string) {
  return queryOptions({
    queryKey: ['broadcasts', 'one', id],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/broadcasts/{broadcast_id}', { params: { path: { broadcast_id: id } }, signal })),
    refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? lookAgainMs : false),
  })
}

/** Whether its sums still change by themselves. */
export function isMoving({ status, counts }: Broadcast): boolean {
  return status === 'running' || counts.under_way > 0
}

export const pathOf = (id: string) => ({ params: { path: { broadcast_id: id } } })
