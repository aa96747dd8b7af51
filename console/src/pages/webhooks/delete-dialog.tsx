import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { FormDialog } from '../../components/overlay/form-dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { countOf } from '../../components/plural.ts'
import { shortUrl } from '../../components/short-url.ts'
import { FailureNotice } from '../../components/state.tsx'

type DialogProps = { detail: Schemas['ConsoleWebhookDetail']; onClose: () => void }

/** Says what is lost before anything is. */
export function DeleteDialog({ detail, onClose }: DialogProps) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const { webhook, pending } = detail
  const form = useSubmit(async () => {
    await call(api.DELETE('/console/api/webhooks/{webhook_id}', { params: { path: { webhook_id: webhook.id } } }))
    await client.invalidateQueries({ queryKey: ['webhooks'] })
    toast('Deleted the webhook')
    go('/webhooks')
  })
  return (
    <FormDialog title={`Delete ${shortUrl(webhook.url)}?`} act="Delete webhook" kind="danger" {...{ form, onClose }}>
      <p>
        {pending === 0
          ? 'No delivery is waiting.'
          : `This cancels ${countOf(pending, 'waiting delivery', 'waiting deliveries')}.`}{' '}
        It cannot be undone.
      </p>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}
