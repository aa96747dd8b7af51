import { useQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { formatNumber, formatPercent } from '../../components/format-number.ts'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { type Column, Table } from '../../components/table/table.tsx'
import { DayOf } from '../../components/time.tsx'

type Service = Schemas['ServiceTimes']
type Counts = Pick<
  Service['totals'],
  'replies' | 'average_wait_seconds' | 'within_hour' | 'within_window' | 'missed' | 'within_window_percent'
>

function columnsFor<Row extends Counts>(first: Column<Row>): Column<Row>[] {
  return [
    first,
    { id: 'replies', title: 'Replies', number: true, cell: ({ replies }) => formatNumber(replies) },
    { id: 'wait', title: 'Average wait', number: true, cell: (row) => waitText(row.average_wait_seconds) },
    { id: 'hour', title: 'Within 1 h', number: true, cell: (row) => formatNumber(row.within_hour) },
    { id: 'window', title: 'Within 24 h', number: true, cell: (row) => formatPercent(row.within_window_percent) },
  ]
}

const dayColumns: Column<Service['days'][number]>[] = [
  ...columnsFor<Service['days'][number]>({ id: 'day', title: 'Day (UTC)', cell: ({ date }) => <DayOf at={date} /> }),
  { id: 'missed', title: 'Missed', number: true, cell: ({ missed }) => formatNumber(missed) },
]
const agentColumns = columnsFor<Service['agents'][number]>({
  id: 'agent',
  title: 'Person',
  cell: ({ name }) => <strong dir="auto">{name ?? 'Former member'}</strong>,
})

/** How long customers wait for a person. A wait counts on the day it began, and once. */
export function ServiceTimes({ from, to }: { from: string; to: string | undefined }) {
  const query = { from, ...(to === undefined ? {} : { to }) }
  const service = useQuery({
    queryKey: ['analytics', 'service', query],
    queryFn: ({ signal }) => call(api.GET('/console/api/service-times', { params: { query }, signal })),
  })
  return (
    <section className="stack service-times" aria-labelledby="service-times">
      <h2 id="service-times">Service</h2>
      <QueryView query={service}>{(data) => <Figures data={data} />}</QueryView>
    </section>
  )
}

function Figures({ data: { totals, days, agents } }: { data: Service }) {
  if (days.length === 0) return <p className="muted">No customer has waited for a reply in this time.</p>
  return (
    <>
      <p>
        {`${countOf(totals.replies, 'reply', 'replies')} after ${waitText(totals.average_wait_seconds)} on average. `}
        {totals.within_window_percent !== null && `${formatPercent(totals.within_window_percent)} within 24 hours. `}
        {totals.missed > 0 && `${countOf(totals.missed, 'customer')} without a reply for more than 24 hours.`}
      </p>
      <div className="table-box">
        <Table caption="Service by day" columns={dayColumns} rows={days} idOf={({ date }) => date} />
      </div>
      {agents.length > 0 && (
        <div className="table-box">
          <Table caption="Service by person" columns={agentColumns} rows={agents} idOf={({ user_id: id }) => id} />
        </div>
      )}
    </>
  )
}

/** "45 s", "12 min", "3 h 5 min". */
export function waitText(seconds: number | null): string {
  if (seconds === null) return 'no reply yet'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}
