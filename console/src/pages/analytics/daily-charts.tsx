import { BarChart } from '../../components/bar-chart.tsx'
import { LineChart } from '../../components/line-chart.tsx'
import { type Analytics, percent, share, toDays } from './analytics-figures.ts'

/** Counts and rates in panels of their own: two scales in one picture mislead. A line needs two days. */
export function DailyCharts({ data }: { data: Analytics }) {
  const days = toDays(data)
  const labels = days.map(({ label }) => label)
  const rate = (part: number, whole: number) => {
    const value = share(part, whole)
    return value === null ? null : Math.round(value * 10) / 10
  }
  return (
    <div className="card card-body stack stack-wide">
      <BarChart
        title="Messages per day"
        unit="messages"
        bars={days.map(({ label, sent }, index) => ({ label, value: sent, partial: index === days.length - 1 }))}
      />
      {days.filter(({ sent }) => sent > 0).length > 1 && (
        <LineChart
          title="Delivered and read"
          summary={`${percent(data.totals.delivery_rate)} of what was sent arrived, ${percent(data.totals.read_rate)} of that was read.`}
          labels={labels}
          series={[
            { name: 'Delivered', values: days.map(({ delivered, sent }) => rate(delivered, sent)) },
            { name: 'Read', values: days.map(({ read, delivered }) => rate(read, delivered)) },
          ]}
          max={100}
          format={(value) => `${value} %`}
        />
      )}
      <p className="small muted">Days are those of {data.timezone}. The last one is still growing.</p>
    </div>
  )
}
