import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { useSettled } from '../../components/form/use-settled.ts'
import type { TemplateInput } from './template-draft.ts'

/** Asks the gateway what it thinks of the template, as often as the typing rests. */
export function useDraftCheck(input: TemplateInput) {
  const settled = useSettled(JSON.stringify(input))
  return useQuery({
    queryKey: ['template-check', settled],
    queryFn: ({ signal }) =>
      call(api.POST('/console/api/templates/check', { body: JSON.parse(settled) as TemplateInput, signal })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
