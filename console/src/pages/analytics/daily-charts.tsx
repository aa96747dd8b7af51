import { useLocation } from 'wouter'
import { BarChart } from '../../components/chart/bar-chart.tsx'
import { LineChart } from '../../components/chart/line-chart.tsx'
import { formatPercent } from '../../components/format-number.ts'
import { useMay } from '../../session.ts'
import { type Analytics, dayAt, deliveredShare, logPath, share, toDays } from './analytics-figures.ts'

type DailyProps = { data: Analytics; apiPath: string; isGrowing: boolean }

/** Counts and rates in panels of their own: two scales in one picture mislead. A line needs two days. */
export function DailyCharts({ data, apiPath, isGrowing }: DailyProps) {
  const [, go] = useLocation()
  const mayRead = useMay('messages:read')
  const days = toDays(data)
  const last = days.length - 1
  const onOpen = mayRead
    ? (index: number) => go(logPath(dayAt(days, index, data), isGrowing && index === last))
    : undefined
  const labels = days.map(({ label }) => label)
  const rounded = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)
  return (
    <div className="card card-body stack stack-wide">
      <BarChart
        title="Messages per day"
        unit="messages"
        apiPath={apiPath}
        onOpen={onOpen}
        bars={days.map(({ label, sent }, index) => ({ label, value: sent, partial: isGrowing && index === last }))}
      />
      {days.filter(({ created }) => created > 0).length > 1 && (
        <LineChart
          title="Delivered and read"
          summary={`${formatPercent(deliveredShare(data.totals))} of all messages were delivered, ${formatPercent(data.totals.read_rate)} of those were read.`}
          labels={labels}
          apiPath={apiPath}
          onOpen={onOpen}
          series={[
            { name: 'Delivered', values: days.map((day) => rounded(deliveredShare(day))) },
            { name: 'Read', values: days.map(({ read, delivered }) => rounded(share(read, delivered))) },
          ]}
          max={100}
          format={(value) => `${value}%`}
        />
      )}
      <p className="small muted">
        Days are in {data.timezone}.{isGrowing && ' The last day is not over yet.'}
        {mayRead && ' Click a day, or choose one with ← and → and press Enter, to see its messages.'}
      </p>
    </div>
  )
}
