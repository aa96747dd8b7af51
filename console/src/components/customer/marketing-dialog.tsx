import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call } from '../../api.ts'
import { useSubmit } from '../form/use-submit.ts'
import { FormDialog } from '../overlay/form-dialog.tsx'
import { toast } from '../overlay/toast.tsx'
import { FailureNotice, Notice } from '../state.tsx'

type DialogProps = { customer: string; preference: 'opted_out' | 'opted_in'; onClose: () => void }

/** A customer asked a person for it; WhatsApp tells the gateway when they use their phone. */
export function MarketingDialog({ customer, preference, onClose }: DialogProps) {
  const client = useQueryClient()
  const isStop = preference === 'opted_out'
  const form = useSubmit(async () => {
    await call(api.POST('/console/api/customer/preference', { body: { customer, preference } }))
    await client.invalidateQueries({ queryKey: ['conversations'] })
    onClose()
    toast(isStop ? 'Marketing messages stopped' : 'Marketing messages allowed')
  })
  return (
    <FormDialog
      title={isStop ? 'Stop marketing messages to this customer?' : 'Allow marketing messages again?'}
      act={isStop ? 'Stop marketing' : 'Allow marketing'}
      {...{ form, onClose }}
    >
      {isStop ? (
        <p>
          Marketing templates to this customer are rejected from now on, from all your numbers; your services get{' '}
          <Link to="/help/errors#recipient_opted_out">recipient_opted_out</Link>. Replies and other templates can still
          be sent.
        </p>
      ) : (
        <Notice tone="warn" icon="alert">
          Do this only if the customer asked for it. If they opted out in WhatsApp itself, Meta still rejects marketing
          messages.
        </Notice>
      )}
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
