import { useQueryClient } from '@tanstack/react-query'
import { api, call } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { toast } from '../../components/toast.tsx'
import { useSubmit } from '../../components/use-submit.ts'

export function RetryButton({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const client = useQueryClient()
  const retry = useSubmit(async () => {
    const path = { webhook_id: webhookId, delivery_id: deliveryId }
    await call(api.POST('/console/api/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', { params: { path } }))
    await client.invalidateQueries({ queryKey: ['deliveries'] })
    toast('Queued for a new attempt')
  })
  return (
    <>
      <Button kind="quiet" icon="refresh" busy={retry.busy} onClick={() => void retry.submit()}>
        Retry now
      </Button>
      <FailureNotice failure={retry.failure} />
    </>
  )
}
