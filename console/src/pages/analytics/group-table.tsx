import { Link } from 'wouter'
import { formatNumber } from '../../components/meter.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { useMay } from '../../session.ts'
import { type Analytics, groupOf, percent } from './analytics-figures.ts'
import { type Grouping, groupNames } from './analytics-query.ts'

type Series = Analytics['series'][number]

/** The largest first, as the API ranks them. */
export function GroupTable({ data, groupBy }: { data: Analytics; groupBy: Grouping }) {
  const columns: Column<Series>[] = [
    { id: 'group', title: groupNames[groupBy], cell: (row) => <GroupName value={groupOf(row)} groupBy={groupBy} /> },
    { id: 'sent', title: 'Sent', number: true, cell: ({ totals }) => formatNumber(totals.sent) },
    { id: 'delivered', title: 'Delivered', number: true, cell: ({ totals }) => percent(totals.delivery_rate) },
    { id: 'read', title: 'Read', number: true, cell: ({ totals }) => percent(totals.read_rate) },
    { id: 'failed', title: 'Failed', number: true, cell: ({ totals }) => formatNumber(totals.failed) },
    { id: 'received', title: 'Received', number: true, cell: ({ totals }) => formatNumber(totals.received) },
  ]
  return (
    <div className="table-box">
      <Table
        caption={`Messages by ${groupNames[groupBy].toLowerCase()}`}
        columns={columns}
        rows={data.series}
        idOf={(row) => groupOf(row) ?? 'none'}
      />
    </div>
  )
}

/** What the log can be narrowed by leads there. */
const logFilters: Partial<Record<Grouping, string>> = { template: 'template', type: 'type', api_key: 'key_id' }

function GroupName({ value, groupBy }: { value: string | null; groupBy: Grouping }) {
  const mayRead = useMay('messages:read')
  const filter = logFilters[groupBy]
  if (value === null) return <span className="muted">None</span>
  if (value === 'other') return <span className="muted">All others</span>
  if (!filter || !mayRead) return <span className="break">{value}</span>
  return (
    <Link to={`/messages?${filter}=${encodeURIComponent(value)}`} className="break">
      {value}
    </Link>
  )
}
