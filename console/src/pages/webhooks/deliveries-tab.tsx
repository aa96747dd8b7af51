import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Chip, HttpChip } from '../../components/chip.tsx'
import { FilterSelect } from '../../components/field.tsx'
import { formatDuration } from '../../components/meter.tsx'
import { Pagination, usePages } from '../../components/pagination.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { EmptyState } from '../../components/state.tsx'
import { type Column, RowButton, Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { DeliveryChip } from './delivery-chip.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { eventTypes } from './event-choice.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { RetryButton } from './retry-button.tsx'

type Logged = Schemas['ConsoleLoggedDelivery']
type EventType = (typeof eventTypes)[number]

const statusOptions = [
  { value: '', label: 'All outcomes' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed,expired,skipped,cancelled', label: 'Not delivered' },
  { value: 'pending,sending,held', label: 'On the way' },
]
const typeOptions = [{ value: '', label: 'All events' }, ...eventTypes.map((type) => ({ value: type, label: type }))]

export function DeliveriesTab({ webhook }: { webhook: Schemas['Webhook'] }) {
  const [search, setSearch] = useSearchParams()
  const [status, setStatus] = useState('')
  const [type, setType] = useState('')
  const [isReplaying, setReplaying] = useState(false)
  const mayWrite = useMay('webhooks:write')
  const pages = usePages()
  const opened = search.get('delivery')
  const query = {
    limit: 25,
    ...pages.at,
    ...(status === '' ? {} : { status }),
    ...(type === '' ? {} : { type: type as EventType }),
  }
  const deliveries = useQuery({
    queryKey: ['deliveries', webhook.id, query],
    queryFn: () =>
      call(
        api.GET('/console/api/webhooks/{webhook_id}/deliveries', {
          params: { path: { webhook_id: webhook.id }, query },
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: pages.isFirst ? 5_000 : false,
  })
  const narrow = (set: (value: string) => void) => (event: { target: { value: string } }) => {
    pages.reset()
    set(event.target.value)
  }
  const open = (id: string | null) => setSearch(id === null ? {} : { delivery: id }, { replace: true })
  return (
    <div className="stack">
      <div className="toolbar">
        <FilterSelect label="Outcome" options={statusOptions} value={status} onChange={narrow(setStatus)} />
        <FilterSelect label="Event" options={typeOptions} value={type} onChange={narrow(setType)} />
        <span className="grow" />
        {mayWrite && (
          <Button icon="refresh" onClick={() => setReplaying(true)}>
            Replay failed…
          </Button>
        )}
      </div>
      <QueryView query={deliveries}>
        {(data) =>
          data.deliveries.length === 0 && pages.isFirst ? (
            <EmptyState icon="webhook" title={status || type ? 'No deliveries match' : 'Nothing was delivered yet'}>
              <p>{status || type ? 'Choose other filters.' : 'Every event this webhook wants appears here.'}</p>
            </EmptyState>
          ) : (
            <div className="table-box">
              <DeliveryTable
                rows={data.deliveries}
                attemptsMax={data.attempts_max}
                webhookId={webhook.id}
                onOpen={open}
              />
              <Pagination pages={pages} shown={data.deliveries.length} pagination={data.pagination} />
            </div>
          )
        }
      </QueryView>
      {opened && <DeliveryDrawer webhookId={webhook.id} id={opened} onClose={() => open(null)} />}
      {isReplaying && <ReplayDialog webhook={webhook} onClose={() => setReplaying(false)} />}
    </div>
  )
}

type TableProps = {
  rows: readonly Logged[]
  attemptsMax: number
  webhookId: string
  onOpen: (id: string) => void
}

function DeliveryTable({ rows, attemptsMax, webhookId, onOpen }: TableProps) {
  const mayWrite = useMay('webhooks:write')
  const columns: Column<Logged>[] = [
    {
      id: 'event',
      title: 'Event',
      cell: ({ delivery }) => (
        <RowButton onClick={() => onOpen(delivery.id)}>
          <code>{delivery.type}</code>
        </RowButton>
      ),
    },
    { id: 'status', title: 'Outcome', cell: ({ delivery }) => <DeliveryChip status={delivery.status} /> },
    {
      id: 'answer',
      title: 'Answer',
      cell: (row) => <Answer row={row} />,
    },
    {
      id: 'attempt',
      title: 'Attempt',
      number: true,
      cell: ({ delivery }) => (delivery.attempt_count === 0 ? '–' : `${delivery.attempt_count} of ${attemptsMax}`),
    },
    {
      id: 'duration',
      title: 'Took',
      number: true,
      cell: ({ duration_ms: ms }) => (ms === null ? '–' : formatDuration(ms)),
    },
    {
      id: 'next',
      title: 'Next attempt',
      cell: ({ delivery }) =>
        delivery.next_attempt_at && delivery.attempt_count > 0 ? <RelativeTime at={delivery.next_attempt_at} /> : null,
    },
    { id: 'time', title: 'When', cell: ({ delivery }) => <RelativeTime at={delivery.created_at} /> },
    {
      id: 'retry',
      title: 'Retry',
      quietTitle: true,
      cell: ({ delivery }) =>
        mayWrite && delivery.status !== 'delivered' && delivery.status !== 'sending' ? (
          <RetryButton webhookId={webhookId} deliveryId={delivery.id} />
        ) : null,
    },
  ]
  return <Table caption="Deliveries" columns={columns} rows={rows} idOf={({ delivery }) => delivery.id} />
}

function Answer({ row }: { row: Logged }) {
  const { status_code: status, error_code: error } = row
  if (status !== null) return <HttpChip status={status} />
  if (error === null) return <span className="muted">–</span>
  return (
    <Chip tone="error" icon="alert">
      {error}
    </Chip>
  )
}
