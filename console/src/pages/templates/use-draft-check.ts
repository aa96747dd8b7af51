import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import type { TemplateInput } from './template-draft.ts'
import { useSettled } from './use-settled.ts'

/** Asks the gateway what it thinks of the template, as often as the typing rests. */
export function useDraftCheck(input: TemplateInput) {
  const settled = useSettled(JSON.stringify(input))
  return useQuery({
    queryKey: ['template-check', settled],
    queryFn: () => call(api.POST('/console/api/templates/check', { body: JSON.parse(settled) as TemplateInput })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
