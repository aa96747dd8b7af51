import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { useSubmit } from '../form/use-submit.ts'
import { FormDialog } from '../overlay/form-dialog.tsx'
import { toast } from '../overlay/toast.tsx'
import { FailureNotice, Notice } from '../state.tsx'

type DialogProps = {
  act: 'block' | 'unblock'
  customer: string
  name?: string | null
  /** Of ours: each has a block list of its own. */
  number: { id: string; phone_number?: string }
  /** They wrote too long ago to be blocked. */
  isTooLate?: boolean
  onClose: () => void
}

/** Says what happens before it does. */
export function BlockDialog({ act, customer, name, number, isTooLate = false, onClose }: DialogProps) {
  const client = useQueryClient()
  const isBlock = act === 'block'
  const form = useSubmit(async () => {
    const params = { path: { customer }, query: { from: number.id } }
    if (isBlock) await call(api.POST('/console/api/blocked', { body: { from: number.id, customers: [customer] } }))
    else await call(api.DELETE('/console/api/blocked/{customer}', { params }))
    await Promise.all([
      client.invalidateQueries({ queryKey: ['conversations'] }),
      client.invalidateQueries({ queryKey: ['blocked'] }),
    ])
    onClose()
    toast(isBlock ? 'Blocked' : 'Unblocked')
  })
  const ours = number.phone_number ?? 'this number'
  return (
    <FormDialog
      title={`${isBlock ? 'Block' : 'Unblock'} ${name ?? customer}?`}
      act={isBlock ? 'Block' : 'Unblock'}
      kind={isBlock ? 'danger' : 'primary'}
      disabled={isBlock && isTooLate}
      {...{ form, onClose }}
    >
      {isBlock ? (
        <>
          <p>
            They can no longer write to {ours} and no longer see it online. What they write does not arrive here, and
            WhatsApp does not tell them why.
          </p>
          <p>You cannot write to them either, until you unblock them. What was written so far stays.</p>
          {isTooLate && (
            <Notice tone="warn" icon="clock">
              They last wrote more than 24 hours ago, and Meta lets you block only who wrote since. Block them when they
              write again.
            </Notice>
          )}
        </>
      ) : (
        <p>
          They can write to {ours} again, and you can write to them. What they wrote while they were blocked does not
          come later.
        </p>
      )}
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
