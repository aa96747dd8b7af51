import { useState } from 'react'
import type { Schemas } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Chip, HttpChip } from '../chip.tsx'
import { RetryButton } from '../form/retry-button.tsx'
import { formatDuration } from '../format-number.ts'
import { type Column, RowButton, Table } from '../table/table.tsx'
import { LogTime, RelativeTime } from '../time.tsx'
import { DeliveryChip } from './delivery-chip.tsx'
import { RetrySelected } from './retry-selected.tsx'

type Logged = Schemas['ConsoleLoggedDelivery']

type TableProps = {
  rows: readonly Logged[]
  attemptsMax: number
  webhookId: string
  onOpen: (id: string) => void
}

/** What has not arrived can be sent again, one by one (r) or those that were chosen (x). */
export function DeliveryTable({ rows, attemptsMax, webhookId, onOpen }: TableProps) {
  const mayWrite = useMay('webhooks:write')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const canRetry = ({ delivery: { status } }: Logged) => mayWrite && status !== 'delivered' && status !== 'sending'
  const selected = rows.filter((row) => canRetry(row) && chosen.has(row.delivery.id))
  const toggle = (id: string) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  const columns: Column<Logged>[] = [
    ...factColumns(attemptsMax, onOpen),
    {
      id: 'retry',
      title: 'Retry',
      quietTitle: true,
      cell: (row) =>
        canRetry(row) ? (
          <RetryCell
            webhookId={webhookId}
            deliveryId={row.delivery.id}
            isChosen={chosen.has(row.delivery.id)}
            onToggle={() => toggle(row.delivery.id)}
          />
        ) : null,
    },
  ]
  return (
    <>
      <RetrySelected
        webhookId={webhookId}
        ids={selected.map(({ delivery }) => delivery.id)}
        onDone={() => setChosen(new Set())}
      />
      <Table caption="Deliveries" columns={columns} rows={rows} idOf={({ delivery }) => delivery.id} />
    </>
  )
}

function factColumns(attemptsMax: number, onOpen: (id: string) => void): Column<Logged>[] {
  return [
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
    { id: 'answer', title: 'Response', cell: (row) => <Answer row={row} /> },
    {
      id: 'attempt',
      title: 'Attempt',
      number: true,
      cell: ({ delivery }) => (delivery.attempt_count === 0 ? '–' : `${delivery.attempt_count} of ${attemptsMax}`),
    },
    {
      id: 'duration',
      title: 'Duration',
      number: true,
      cell: ({ duration_ms: ms }) => (ms === null ? '–' : formatDuration(ms)),
    },
    {
      id: 'next',
      title: 'Next attempt',
      cell: ({ delivery }) =>
        delivery.next_attempt_at && delivery.attempt_count > 0 ? <RelativeTime at={delivery.next_attempt_at} /> : null,
    },
    { id: 'time', title: 'When', cell: ({ delivery }) => <LogTime at={delivery.created_at} /> },
  ]
}

type RetryProps = { webhookId: string; deliveryId: string; isChosen: boolean; onToggle: () => void }

function RetryCell({ webhookId, deliveryId, isChosen, onToggle }: RetryProps) {
  return (
    <span className="row-acts">
      <RetryButton webhookId={webhookId} deliveryId={deliveryId} />
      <input
        type="checkbox"
        aria-label={`Select ${deliveryId}`}
        data-row-key="x"
        checked={isChosen}
        onChange={onToggle}
      />
    </span>
  )
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
