import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { toast } from '../../components/overlay/toast.tsx'
import { FailureNotice } from '../../components/state.tsx'
import type { Template } from './template-status.tsx'

/** A draft as it is: one with parts that the editor does not know was made with the API. */
export function SubmitDraft({ record }: { record: Template }) {
  const client = useQueryClient()
  const form = useSubmit(async () => {
    const path = { template_id: record.id }
    // What was seen here is what is submitted.
    const body = { if_version: record.version }
    await call(api.PUT('/console/api/templates/{template_id}', { params: { path }, body }))
    await client.invalidateQueries({ queryKey: ['templates'] })
    toast(`Submitted ${record.name} for review`)
  })
  return (
    <div className="stack stack-tight">
      <div className="row">
        <Button kind="primary" icon="arrow" busy={form.busy} onClick={() => void form.submit()}>
          Submit for review
        </Button>
      </div>
      <FailureNotice failure={form.failure} />
    </div>
  )
}
