import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { toast } from '../overlay/toast.tsx'
import { FailureNotice } from '../state.tsx'
import { Button } from './button.tsx'
import { useSubmit } from './use-submit.ts'

type RetryProps = {
  webhookId: string
  deliveryId: string
  /** It arrived: sending it once more is a test, not a repair. */
  again?: boolean
}

/** Sends one delivery of a webhook again; in a row of a table the key r presses it. */
export function RetryButton({ webhookId, deliveryId, again = false }: RetryProps) {
  const client = useQueryClient()
  const retry = useSubmit(async () => {
    await retryDelivery(webhookId, deliveryId)
    await Promise.all(['deliveries', 'messages'].map((noun) => client.invalidateQueries({ queryKey: [noun] })))
    toast(again ? 'Will be sent again' : 'Queued for a new attempt')
  })
  return (
    <>
      <Button kind="quiet" icon="refresh" busy={retry.busy} data-row-key="r" onClick={() => void retry.submit()}>
        {again ? 'Resend' : 'Retry now'}
      </Button>
      <FailureNotice failure={retry.failure} />
    </>
  )
}

export function retryDelivery(webhookId: string, deliveryId: string) {
  const path = { webhook_id: webhookId, delivery_id: deliveryId }
  return call(api.POST('/console/api/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', { params: { path } }))
}
