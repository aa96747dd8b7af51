import { type Change, countChange, rateChange, secondsChange } from '../../components/chart/change.ts'
import { ChangeLine } from '../../components/chart/change-line.tsx'
import { formatNumber, formatPercent, formatSeconds } from '../../components/format-number.ts'
import { type Analytics, deliveredShare } from './analytics-figures.ts'

type Totals = Analytics['totals']
type Figure = { name: string; value: string; detail: string; change?: Change | null }

/** Each figure, and how it changed against the days before. */
export function Totals({ totals, before }: { totals: Totals; before: Totals | null }) {
  return <FigureList className="figures-six" figures={figuresOf(totals, before)} />
}

export function FigureList({ className, figures }: { className: string; figures: readonly Figure[] }) {
  return (
    <dl className={`figures ${className}`}>
      {figures.map(({ name, value, detail, change }) => (
        <div key={name} className="card figure">
          <dt>{name}</dt>
          <dd>
            <span className="big-number">{value}</span>
            <span className="small muted">{detail}</span>
            {change !== undefined && <ChangeLine change={change} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function figuresOf(totals: Totals, before: Totals | null): readonly Figure[] {
  const { delivery_seconds_p50: median, delivery_seconds_p95: slow } = totals
  return [
    {
      name: 'Sent',
      value: formatNumber(totals.sent),
      detail: `of ${formatNumber(totals.created)} accepted`,
      change: countChange(totals.sent, before?.sent),
    },
    {
      name: 'Delivered',
      value: formatPercent(deliveredShare(totals)),
      detail: `${formatNumber(totals.delivered)} of accepted`,
      change: rateChange(deliveredShare(totals), before && deliveredShare(before)),
    },
    {
      name: 'Read',
      value: formatPercent(totals.read_rate),
      detail: `${formatNumber(totals.read)} of delivered`,
      change: rateChange(totals.read_rate, before?.read_rate),
    },
    {
      name: 'Failed',
      value: formatNumber(totals.failed),
      detail: failedShare(totals),
      change: countChange(totals.failed, before?.failed),
    },
    {
      name: 'Received',
      value: formatNumber(totals.received),
      detail: 'from customers',
      change: countChange(totals.received, before?.received),
    },
    {
      name: 'Median delivery',
      value: formatSeconds(median),
      detail: `95% within ${formatSeconds(slow)}`,
      change: secondsChange(median, before?.delivery_seconds_p50),
    },
  ]
}

function failedShare({ failed, created }: Totals): string {
  return created === 0 ? 'none sent' : `${formatPercent((failed / created) * 100)} of all`
}
