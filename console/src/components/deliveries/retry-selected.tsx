import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../form/button.tsx'
import { retryDelivery } from '../form/retry-button.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { toast } from '../overlay/toast.tsx'
import { FailureNotice } from '../state.tsx'

type SelectedProps = { webhookId: string; ids: readonly string[]; onDone: () => void }

/** Stands above the table while rows are chosen. */
export function RetrySelected({ webhookId, ids, onDone }: SelectedProps) {
  const client = useQueryClient()
  const retry = useSubmit(async () => {
    try {
      for (const id of ids) await retryDelivery(webhookId, id)
      onDone()
      toast(`Queued ${ids.length} for a new attempt`)
    } finally {
      await client.invalidateQueries({ queryKey: ['deliveries'] })
    }
  })
  if (ids.length === 0) return <FailureNotice failure={retry.failure} />
  return (
    <div className="selection-bar" role="status">
      <span className="grow">{ids.length} selected</span>
      <Button kind="quiet" onClick={onDone}>
        Clear
      </Button>
      <Button icon="refresh" busy={retry.busy} onClick={() => void retry.submit()}>
        Retry {ids.length}
      </Button>
      <FailureNotice failure={retry.failure} />
    </div>
  )
}
