import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, call } from '../../../api.ts'
import { eventTypes } from '../../../api-values.ts'
import { Button } from '../../../components/form/button.tsx'
import { FilterSelect } from '../../../components/form/field.tsx'
import { LiveMark } from '../../../components/live-mark.tsx'
import { QueryView } from '../../../components/query-view.tsx'
import { EmptyState } from '../../../components/state.tsx'
import { Pagination } from '../../../components/table/pagination.tsx'
import { byCursor, pageAt, useBackToNewest } from '../../../components/table/paging.ts'
import { useMay } from '../../../session.ts'
import { deliveryStatus } from '../../../texts.ts'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { ReplayDialog } from './replay-dialog.tsx'

type EventType = (typeof eventTypes)[number]

const statusOptions = [
  { value: '', label: 'All outcomes' },
  { value: 'delivered', label: deliveryStatus.delivered },
  { value: 'failed,expired,skipped,cancelled', label: 'Not delivered' },
  { value: 'pending,sending,held', label: 'On the way' },
]
const typeOptions = [{ value: '', label: 'All events' }, ...eventTypes.map((type) => ({ value: type, label: type }))]

type TabProps = {
  /** Of a webhook or of a listener. */
  webhookId: string
  /** What failed can be replayed: there is a schedule that gave up. */
  canReplay?: boolean
}

export function DeliveriesTab({ webhookId, canReplay = false }: TabProps) {
  const [search, setSearch] = useSearchParams()
  const [status, setStatus] = useState('')
  const [type, setType] = useState('')
  const [isReplaying, setReplaying] = useState(false)
  const mayWrite = useMay('webhooks:write')
  const opened = search.get('delivery')
  const filter = { ...(status === '' ? {} : { status }), ...(type === '' ? {} : { type: type as EventType }) }
  const queryKey = ['deliveries', webhookId, filter]
  const deliveries = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, ...pageAt(pageParam) }
      const params = { path: { webhook_id: webhookId }, query }
      return call(api.GET('/console/api/webhooks/{webhook_id}/deliveries', { params, signal }))
    },
    ...byCursor,
  })
  const backToNewest = useBackToNewest(queryKey)
  const wasPressed = useRef(false)
  const open = (id: string) => {
    wasPressed.current = true
    setSearch({ delivery: id })
  }
  // Where the list lies one step back, closing is that step; a link to a delivery has no list behind it.
  const close = () => {
    if (!wasPressed.current) return setSearch({}, { replace: true })
    wasPressed.current = false
    window.history.back()
  }
  return (
    <div className="stack">
      <DeliveryToolbar
        {...{ status, type }}
        onStatus={setStatus}
        onType={setType}
        onReplay={mayWrite && canReplay ? () => setReplaying(true) : null}
      />
      <QueryView query={deliveries}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.deliveries)
          if (rows.length === 0) return <NoDeliveries isNarrowed={status !== '' || type !== ''} />
          return (
            <div className="table-box">
              <DeliveryTable
                rows={rows}
                attemptsMax={pages[0]?.attempts_max ?? 0}
                webhookId={webhookId}
                onOpen={open}
              />
              <Pagination list={deliveries} shown={rows.length} onNewest={backToNewest} />
            </div>
          )
        }}
      </QueryView>
      {opened && <DeliveryDrawer webhookId={webhookId} id={opened} onClose={close} />}
      {isReplaying && <ReplayDialog webhookId={webhookId} onClose={() => setReplaying(false)} />}
    </div>
  )
}

type ToolbarProps = {
  status: string
  type: string
  onStatus: (status: string) => void
  onType: (type: string) => void
  onReplay: (() => void) | null
}

function DeliveryToolbar({ status, type, onStatus, onType, onReplay }: ToolbarProps) {
  return (
    <div className="toolbar">
      <FilterSelect
        label="Outcome"
        options={statusOptions}
        value={status}
        onChange={(event) => onStatus(event.target.value)}
      />
      <FilterSelect label="Event" options={typeOptions} value={type} onChange={(event) => onType(event.target.value)} />
      <span className="grow" />
      <LiveMark />
      {onReplay && (
        <Button icon="refresh" onClick={onReplay}>
          Replay failed…
        </Button>
      )}
    </div>
  )
}

function NoDeliveries({ isNarrowed }: { isNarrowed: boolean }) {
  return (
    <EmptyState icon="webhook" title={isNarrowed ? 'No deliveries match' : 'Nothing was delivered yet'}>
      <p>{isNarrowed ? 'Choose other filters.' : 'Every event that is sent here appears in this list.'}</p>
    </EmptyState>
  )
}
