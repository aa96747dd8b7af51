import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Dialog } from '../../components/overlay/dialog.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { countOf } from '../../components/plural.ts'
import { shortUrl } from '../../components/short-url.ts'
import { FailureNotice } from '../../components/state.tsx'
import { buttons } from '../../texts.ts'

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
    <Dialog
      title={`Delete ${shortUrl(webhook.url)}?`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{buttons.cancel}</Button>
          <Button kind="danger" busy={form.busy} onClick={() => void form.submit()}>
            Delete webhook
          </Button>
        </>
      }
    >
      <p>
        {pending === 0
          ? 'No delivery is waiting.'
          : `This cancels ${countOf(pending, 'waiting delivery', 'waiting deliveries')}.`}{' '}
        It cannot be undone.
      </p>
      <FailureNotice failure={form.failure} />
    </Dialog>
  )
}
