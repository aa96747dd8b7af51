import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { Sparkline } from '../../components/chart/sparkline.tsx'
import { formatNumber, formatPercent } from '../../components/format-number.ts'
import { useMay } from '../../session.ts'
import { messageStatus } from '../../texts.ts'

type HomeFigures = Schemas['ConsoleHome']['figures']

/** Five numbers, each with its shape over the day. A rate without messages is not 0, it is nothing. */
export function Figures({ figures }: { figures: HomeFigures }) {
  const { hours } = figures
  const mayRead = useMay('messages:read')
  const share = (part: (hour: HomeFigures['hours'][number]) => [number, number]) =>
    hours.map((hour) => {
      const [value, whole] = part(hour)
      return whole === 0 ? null : value / whole
    })
  const shown = [
    {
      name: messageStatus.sent,
      value: formatNumber(figures.sent),
      kind: 'count' as const,
      line: hours.map(({ sent }) => sent),
      to: '/messages?time=day&direction=outbound',
    },
    {
      name: messageStatus.delivered,
      value: formatPercent(figures.delivery_rate),
      kind: 'rate' as const,
      line: share(({ delivered, sent }) => [delivered, sent]),
      to: '/messages?time=day&status=delivered',
    },
    {
      name: messageStatus.read,
      value: formatPercent(figures.read_rate),
      kind: 'rate' as const,
      line: share(({ read, delivered }) => [read, delivered]),
      to: '/messages?time=day&status=read',
    },
    {
      name: messageStatus.failed,
      value: formatNumber(figures.failed),
      kind: 'count' as const,
      tone: 'error' as const,
      line: hours.map(({ failed }) => failed),
      to: '/messages?time=day&status=failed',
    },
    {
      name: messageStatus.received,
      value: formatNumber(figures.received),
      kind: 'count' as const,
      line: hours.map(({ received }) => received),
      to: '/messages?time=day&status=received',
    },
  ]
  return (
    <dl className="figures">
      {shown.map(({ name, value, line, to, kind, tone }) => (
        <div key={name} className="card figure">
          <dt>{mayRead ? <Link to={to}>{name}</Link> : name}</dt>
          <dd>
            <span className="big-number">{value}</span>
            <Sparkline values={line} kind={kind} tone={tone} label={`${name} per hour over the last 24 hours`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
