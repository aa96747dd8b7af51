import { formatNumber } from '../../components/meter.tsx'
import { type Analytics, percent } from './analytics-figures.ts'

export function Totals({ totals }: { totals: Analytics['totals'] }) {
  const { delivery_seconds_p50: median, delivery_seconds_p95: slow } = totals
  const seconds = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} s`)
  const shown: readonly [name: string, value: string, detail: string][] = [
    ['Sent', formatNumber(totals.sent), `of ${formatNumber(totals.created)} accepted`],
    ['Delivered', percent(totals.delivery_rate), formatNumber(totals.delivered)],
    ['Read', percent(totals.read_rate), formatNumber(totals.read)],
    ['Failed', formatNumber(totals.failed), failedShare(totals)],
    ['Received', formatNumber(totals.received), 'from customers'],
    ['Median delivery', seconds(median), `95% within ${seconds(slow)}`],
  ]
  return (
    <dl className="figures figures-six">
      {shown.map(([name, value, detail]) => (
        <div key={name} className="card figure">
          <dt>{name}</dt>
          <dd>
            <span className="big-number">{value}</span>
            <span className="small muted">{detail}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function failedShare({ failed, created }: Analytics['totals']): string {
  return created === 0 ? 'of none' : `${percent((failed / created) * 100)} of all`
}
