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
            They can no longer write to {ours} and no longer see it online. Their messages don&apos;t arrive here, and
            WhatsApp doesn&apos;t tell them why.
          </p>
          <p>You can&apos;t write to them either until you unblock them. Past messages stay.</p>
          {isTooLate && (
            <Notice tone="warn" icon="clock">
              They last wrote more than 24 hours ago. Meta only lets you block customers who wrote in the last 24 hours.
              Block them when they write again.
            </Notice>
          )}
        </>
      ) : (
        <p>
          They can write to {ours} again, and you can write to them. Messages they wrote while blocked are not delivered
          later.
        </p>
      )}
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
