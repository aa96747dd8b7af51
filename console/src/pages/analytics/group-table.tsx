import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call } from '../../api.ts'
import { formatNumber, formatPercent } from '../../components/format-number.ts'
import { QueryView } from '../../components/query-view.tsx'
import { type Column, numberColumn, Table } from '../../components/table/table.tsx'
import { useMay } from '../../session.ts'
import { type Analytics, deliveredShare, groupOf, logPath } from './analytics-figures.ts'
import { type Grouping, groupNames, type toQuery } from './analytics-query.ts'

type Series = Analytics['series'][number]

type GroupProps = { data: Analytics; groupBy: Grouping; isGrowing: boolean }

/** More than an account has that sends. */
const templatesMax = 1_000

type TemplateProps = { query: ReturnType<typeof toQuery>; isGrowing: boolean }

/** All templates that were sent, where the charts have the largest. */
export function TemplateBlock({ query, isGrowing }: TemplateProps) {
  const asked = {
    ...query,
    group_by: ['template'],
    direction: 'outbound' as const,
    points: false,
    limit_groups: templatesMax,
  }
  const templates = useQuery({
    queryKey: ['analytics', 'templates', asked],
    queryFn: ({ signal }) => call(api.GET('/console/api/analytics', { params: { query: asked }, signal })),
    placeholderData: keepPreviousData,
  })
  return (
    <section className="stack page-section" aria-labelledby="templates">
      <h2 id="templates">Templates</h2>
      <QueryView query={templates}>
        {(data) => {
          const series = data.series.filter((one) => groupOf(one) !== null)
          if (series.length === 0) return <p className="muted">No template was sent in this time.</p>
          return <GroupTable data={{ ...data, series }} groupBy="template" isGrowing={isGrowing} />
        }}
      </QueryView>
      <p className="small muted">
        Replies quote a message of the template. Taps are on its quick-reply buttons. Both count on the day the message
        was created.
      </p>
    </section>
  )
}

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
    numberColumn('Delivered, of accepted', ({ totals }) => deliveredShare(totals), formatPercent),
    numberColumn('Read, of delivered', ({ totals }) => totals.read_rate, formatPercent),
    numberColumn('Replies', ({ totals }) => totals.replies, formatNumber),
    numberColumn('Taps', ({ totals }) => totals.taps, formatNumber),
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
