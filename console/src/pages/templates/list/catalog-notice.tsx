import { useQueryClient } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../../api.ts'
import { Button } from '../../../components/form/button.tsx'
import { useSubmit } from '../../../components/form/use-submit.ts'
import { toast } from '../../../components/overlay/toast.tsx'
import { countOf } from '../../../components/plural.ts'
import { FailureNotice, Notice } from '../../../components/state.tsx'

/** On a real channel the templates every account starts with wait until a person submits them. */
export function CatalogNotice({ rows }: { rows: readonly Schemas['ListedTemplate'][] }) {
  const client = useQueryClient()
  const form = useSubmit(async () => {
    const { templates, refused } = await call(api.POST('/console/api/templates/catalog'))
    await client.invalidateQueries({ queryKey: ['templates'] })
    const [first] = refused
    toast(`Submitted ${countOf(templates.length, 'template')} for review`)
    if (first) throw new Error(`${first.name} (${first.language}) was rejected: ${first.message}`)
  })
  const waiting = rows.filter(({ source, status }) => source === 'catalog' && status === 'draft').length
  if (waiting === 0) return <FailureNotice failure={form.failure} />
  return (
    <>
      <Notice>
        <p>Not submitted yet: {countOf(waiting, 'template')} that every account starts with.</p>
        <Button busy={form.busy} onClick={() => void form.submit()}>
          Submit all for review
        </Button>
      </Notice>
      <FailureNotice failure={form.failure} />
    </>
  )
}
