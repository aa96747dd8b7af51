import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { Select } from '../form/field.tsx'
import { useSubmit } from '../form/use-submit.ts'
import { formatNumber } from '../format-number.ts'
import { FormDialog } from '../overlay/form-dialog.tsx'
import { toast } from '../overlay/toast.tsx'
import { countOf } from '../plural.ts'
import { QueryView } from '../query-view.tsx'
import { FailureNotice } from '../state.tsx'
import { RelativeTime } from '../time.tsx'
import { DeliveryChip } from './delivery-chip.tsx'

const hourMs = 3_600_000
const spans = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '335', label: 'Everything available' },
]

/** First how many and which, then the question. */
export function ReplayDialog({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const client = useQueryClient()
  const [hours, setHours] = useState('24')
  const [openedAt] = useState(() => Date.now())
  const since = new Date(openedAt - Number(hours) * hourMs).toISOString()
  const path = { webhook_id: webhookId }
  const preview = useQuery({
    queryKey: ['deliveries', 'replay', webhookId, since],
    queryFn: ({ signal }) =>
      call(api.GET('/console/api/webhooks/{webhook_id}/replay', { params: { path, query: { since } }, signal })),
  })
  const form = useSubmit(async () => {
    const body = { since, status: 'failed' as const }
    const { queued } = await call(api.POST('/console/api/webhooks/{webhook_id}/replay', { params: { path }, body }))
    await client.invalidateQueries({ queryKey: ['deliveries'] })
    onClose()
    toast(`${countOf(queued, 'delivery', 'deliveries')} will be sent again`)
  })
  const matched = preview.data?.matched ?? 0
  return (
    <FormDialog
      title="Replay failed deliveries"
      act={matched === 0 ? 'Nothing to replay' : `Send ${formatNumber(matched)} again`}
      disabled={matched === 0}
      {...{ form, onClose }}
    >
      <Select label="From" options={spans} value={hours} onChange={(event) => setHours(event.target.value)} />
      <QueryView query={preview}>{(data) => <ReplayPreview preview={data} />}</QueryView>
      <FailureNotice failure={form.failure} />
    </FormDialog>
  )
}

function ReplayPreview({ preview: { matched, sample } }: { preview: Schemas['ConsoleReplayPreview'] }) {
  return (
    <>
      {matched === 0 ? (
        <p>
          No deliveries failed permanently in this period. Pending deliveries are retried automatically;{' '}
          <em>Retry now</em> in a row sends that one immediately.
        </p>
      ) : (
        <p>
          Sends <strong>{countOf(matched, 'delivery', 'deliveries')}</strong> again, in order and with the same event
          ids, so your service can detect duplicates.
        </p>
      )}
      {sample.length > 0 && (
        <ul className="plain-list card">
          {sample.map((delivery) => (
            <li key={delivery.id} className="row">
              <code>{delivery.type}</code>
              <DeliveryChip status={delivery.status} />
              <RelativeTime at={delivery.created_at} />
            </li>
          ))}
          {matched > sample.length && <li className="muted">and {formatNumber(matched - sample.length)} more</li>}
        </ul>
      )}
    </>
  )
}
