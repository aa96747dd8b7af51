import { queryOptions } from '@tanstack/react-query'
import { api, call } from '../../api.ts'

export function templateQuery(id: string) {
  return queryOptions({
    queryKey: ['templates', 'one', id],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/templates/{template_id}', { params: { path: { template_id: id } }, signal })),
  })
}
