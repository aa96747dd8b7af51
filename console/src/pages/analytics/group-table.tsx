import { Link } from 'wouter'
import { formatNumber, formatPercent } from '../../components/format-number.ts'
import { type Column, numberColumn, Table } from '../../components/table/table.tsx'
import { useMay } from '../../session.ts'
import { type Analytics, deliveredShare, groupOf, logPath } from './analytics-figures.ts'
import { type Grouping, groupNames } from './analytics-query.ts'

type Series = Analytics['series'][number]

type GroupProps = { data: Analytics; groupBy: Grouping; isGrowing: boolean }

/** The largest first, as the API ranks them, until a heading sorts them. */
export function GroupTable({ data, groupBy, isGrowing }: GroupProps) {
  const columns: Column<Series>[] = [
    {
      id: 'group',
      title: groupNames[groupBy],
      order: groupOf,
      cell: (row) => <GroupName value={groupOf(row)} {...{ data, groupBy, isGrowing }} />,
    },
    numberColumn('Sent', ({ totals }) => totals.sent, formatNumber),
    numberColumn('Delivered', ({ totals }) => deliveredShare(totals), formatPercent),
    numberColumn('Read', ({ totals }) => totals.read_rate, formatPercent),
    numberColumn('Failed', ({ totals }) => totals.failed, formatNumber),
  ]
  // Nothing that is received has a template.
  if (groupBy !== 'template') columns.push(numberColumn('Received', ({ totals }) => totals.received, formatNumber))
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
const logFilters: Partial<Record<Grouping, string>> = {
  template: 'template',
  type: 'type',
  api_key: 'key_id',
  error_code: 'code',
}

function GroupName({ value, data, groupBy, isGrowing }: GroupProps & { value: string | null }) {
  const mayRead = useMay('messages:read')
  const filter = logFilters[groupBy]
  if (value === null) return <span className="muted">{groupBy === 'template' ? 'No template' : 'None'}</span>
  if (value === 'other') return <span className="muted">All others</span>
  if (!filter || !mayRead) return <span className="break">{value}</span>
  return (
    <Link to={logPath(data, isGrowing, { [filter]: value })} className="break">
      {value}
    </Link>
  )
}
