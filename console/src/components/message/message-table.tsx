import { useEffect } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { preferences } from '../../preferences.ts'
import { useMay } from '../../session.ts'
import { messageStatus } from '../../texts.ts'
import { StatusChip } from '../chip.tsx'
import { isTyping } from '../form/typing.ts'
import { Icon } from '../icon.tsx'
import { type Column, RowLink, Table } from '../table/table.tsx'
import { LogTime } from '../time.tsx'

export type LogEntry = Schemas['ConsoleLogEntry']

type TableProps = { entries: readonly LogEntry[]; onCustomer: (customer: string) => void }

/** Enter opens, c copies the id, f shows the customer of the row alone. */
export function MessageTable({ entries, onCustomer }: TableProps) {
  const mayReadLogs = useMay('logs:read')
  useCustomerKey(entries, onCustomer)
  const columns: Column<LogEntry>[] = [
    {
      id: 'time',
      title: 'Time',
      cell: (entry) => {
        const to = addressOf(entry, mayReadLogs)
        return to === null ? (
          <LogTime at={entry.at} />
        ) : (
          <RowLink to={to}>
            <span className="visually-hidden">{nameOf(entry)}, </span>
            <LogTime at={entry.at} />
          </RowLink>
        )
      },
    },
    { id: 'customer', title: 'Customer', cell: (entry) => <Customer entry={entry} /> },
    { id: 'type', title: 'Type', cell: ({ type }) => <span className="nowrap">{type.replace('_', ' ')}</span> },
    { id: 'content', title: 'Content', cell: (entry) => <Content entry={entry} /> },
    { id: 'status', title: 'Status', corner: true, cell: (entry) => <Status entry={entry} /> },
    {
      id: 'reference',
      title: 'Reference',
      cell: ({ client_reference: reference }) =>
        reference && (
          <span className="log-reference" title={reference}>
            {reference}
          </span>
        ),
    },
  ]
  return <Table caption="Messages" columns={columns} rows={entries} idOf={({ id }) => id} />
}

/** A link is heard alone: who, and what became of it. */
function nameOf({ direction, name, customer, status }: LogEntry): string {
  const who = name ?? customer
  if (who === null) return status === 'not_sent' ? messageStatus.not_sent : 'Message'
  return direction === 'outbound' ? `To ${who}` : `From ${who}`
}

/** What was never a message is a request, and is found among them. */
function addressOf({ id, status }: LogEntry, mayReadLogs: boolean): string | null {
  if (status !== 'not_sent') return `/messages/${encodeURIComponent(id)}`
  return mayReadLogs ? `/logs?search=${encodeURIComponent(id)}` : null
}

/** A refused request named its recipient, but that is not kept. */
function Customer({ entry }: { entry: LogEntry }) {
  const { direction, customer, name } = entry
  return (
    <span className="direction" data-direction={direction}>
      <Icon name="arrow" size={15} />
      <span className="visually-hidden">{direction === 'outbound' ? 'To' : 'From'}</span>
      {name && (
        <span className="log-name" dir="auto" title={name}>
          {name}
        </span>
      )}
      <span className={name ? 'mono nowrap muted small' : 'mono nowrap'}>{customer ?? '–'}</span>
    </span>
  )
}

function Content({ entry }: { entry: LogEntry }) {
  const { template, preview, status, code, http_status: httpStatus } = entry
  if (status === 'not_sent') {
    return (
      <span className="log-content">
        {code && <Link to={`/help/errors#${code}`}>{code}</Link>} <span className="muted">HTTP {httpStatus}</span>
      </span>
    )
  }
  return (
    <span className="log-content" dir="auto" title={template ?? preview ?? undefined}>
      {preview ?? template ?? <span className="muted">–</span>}
    </span>
  )
}

function Status({ entry }: { entry: LogEntry }) {
  const { status, code, unresolved } = entry
  return (
    <span className="row">
      <StatusChip status={status} />
      {unresolved && <span className="small muted">not confirmed</span>}
      {code && status !== 'not_sent' && (
        <Link className="small" to={`/help/errors#${code}`}>
          {code}
        </Link>
      )}
    </span>
  )
}

function useCustomerKey(entries: readonly LogEntry[], onCustomer: (customer: string) => void): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key !== 'f' || !preferences().shortcuts || isTyping(event)) return
      const id = document.activeElement?.closest('tr')?.dataset.rowId
      const customer = entries.find((entry) => entry.id === id)?.customer
      if (customer && !customer.includes('•')) onCustomer(customer)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [entries, onCustomer])
}
