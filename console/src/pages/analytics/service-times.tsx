import { useQuery } from '@tanstack/react-query'
import { api, call, type Schemas } from '../../api.ts'
import { formatNumber, formatPercent } from '../../components/format-number.ts'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { type Column, numberColumn, Table } from '../../components/table/table.tsx'
import { DayOf } from '../../components/time.tsx'
import { FigureList } from './totals.tsx'

type Service = Schemas['ServiceTimes']
type Counts = Omit<Service['totals'], 'waiting'>

function columnsFor<Row extends Counts>(first: Column<Row>): Column<Row>[] {
  return [
    first,
    numberColumn('Replies', ({ replies }) => replies, formatNumber),
    numberColumn('Median wait', (row) => row.median_wait_seconds, waitText),
    numberColumn('Average wait', (row) => row.average_wait_seconds, waitText),
    numberColumn('Within 1 h', (row) => hourPercent(row), formatPercent),
    numberColumn('Within 24 h', (row) => row.within_window_percent, formatPercent),
  ]
}

const dayColumns: Column<Service['days'][number]>[] = [
  ...columnsFor<Service['days'][number]>({
    id: 'day',
    title: 'Day (UTC)',
    order: ({ date }) => date,
    cell: ({ date }) => <DayOf at={date} />,
  }),
  numberColumn('Missed', ({ missed }) => missed, formatNumber),
]
const agentColumns = columnsFor<Service['agents'][number]>({
  id: 'agent',
  title: 'Person',
  order: ({ name }) => name,
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
    <section className="stack page-section" aria-labelledby="service-times">
      <h2 id="service-times">Service</h2>
      <QueryView query={service}>{(data) => <Figures data={data} />}</QueryView>
    </section>
  )
}

function Figures({ data: { totals, days, agents } }: { data: Service }) {
  if (days.length === 0) return <p className="muted">No customer has waited for a reply in this time.</p>
  const { replies, missed } = totals
  return (
    <>
      <FigureList
        className="figures-four"
        figures={[
          {
            name: 'First reply, median',
            value: waitText(totals.median_wait_seconds),
            detail: `${waitText(totals.average_wait_seconds)} on average`,
          },
          {
            name: 'Within 1 hour',
            value: formatPercent(hourPercent(totals)),
            detail: `${formatNumber(totals.within_hour)} of ${countOf(replies, 'reply', 'replies')}`,
          },
          {
            name: 'Within 24 hours',
            value: formatPercent(totals.within_window_percent),
            detail: `${formatNumber(missed)} missed`,
          },
          { name: 'Waiting now', value: formatNumber(totals.waiting), detail: 'customers without a reply' },
        ]}
      />
      {agents.length > 0 && (
        <div className="table-box">
          <Table caption="Service by person" columns={agentColumns} rows={agents} idOf={({ user_id: id }) => id} />
        </div>
      )}
      <div className="table-box">
        <Table caption="Service by day" columns={dayColumns} rows={days} idOf={({ date }) => date} />
      </div>
      <p className="small muted">
        From a customer’s first message without a reply to the first reply of a person. A wait counts on the day it
        began. Missed: waiting for more than 24 hours, so only a template can be sent.
      </p>
    </>
  )
}

/** Of the same waits as the share within 24 hours. */
function hourPercent({ within_hour: hour, replies, missed }: Counts): number | null {
  return replies + missed === 0 ? null : (100 * hour) / (replies + missed)
}

/** "45 s", "12 min", "3 h 5 min", "2 days 4 h". */
export function waitText(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return hours % 24 === 0 ? `${hours / 24} days` : `${Math.floor(hours / 24)} days ${hours % 24} h`
}
