import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { countChange, rateChange } from '../../components/chart/change.ts'
import { ChangeLine } from '../../components/chart/change-line.tsx'
import { Sparkline } from '../../components/chart/sparkline.tsx'
import { formatNumber, formatPercent } from '../../components/format-number.ts'
import { useMay } from '../../session.ts'
import { messageStatus } from '../../texts.ts'
import { useDayBefore } from './day-before.ts'

type HomeFigures = Schemas['ConsoleHome']['figures']

/** Of fewer points no shape can be seen. */
const pointsMin = 3

/** Five numbers, each with its shape over the day and how it was a day earlier. A rate without messages is not 0, it is nothing. */
export function Figures({ figures }: { figures: HomeFigures }) {
  const { hours } = figures
  const mayRead = useMay('messages:read')
  const before = useDayBefore()
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
      change: countChange(figures.sent, before?.sent),
      to: '/messages?time=day&direction=outbound',
    },
    {
      name: messageStatus.delivered,
      value: formatPercent(figures.delivery_rate),
      kind: 'rate' as const,
      line: share(({ delivered, created }) => [delivered, created]),
      change: rateChange(
        figures.delivery_rate,
        before && before.created > 0 ? (100 * before.delivered) / before.created : null,
      ),
      to: '/messages?time=day&status=delivered',
    },
    {
      name: messageStatus.read,
      value: formatPercent(figures.read_rate),
      kind: 'rate' as const,
      line: share(({ read, delivered }) => [read, delivered]),
      change: rateChange(figures.read_rate, before?.read_rate),
      to: '/messages?time=day&status=read',
    },
    {
      name: messageStatus.failed,
      value: formatNumber(figures.failed),
      kind: 'count' as const,
      tone: 'error' as const,
      line: hours.map(({ failed }) => failed),
      change: countChange(figures.failed, before?.failed),
      to: '/messages?time=day&status=failed',
      more: figures.not_sent > 0 && <NotSent figures={figures} mayRead={mayRead} />,
    },
    {
      name: messageStatus.received,
      value: formatNumber(figures.received),
      kind: 'count' as const,
      line: hours.map(({ received }) => received),
      change: countChange(figures.received, before?.received),
      to: '/messages?time=day&status=received',
    },
  ]
  return (
    <dl className="figures">
      {shown.map(({ name, value, line, to, kind, tone, more, change }) => (
        <div key={name} className="card figure">
          <dt>{mayRead ? <Link to={to}>{name}</Link> : name}</dt>
          <dd>
            <span className="figure-value">
              <span className="big-number">{value}</span>
              {more}
            </span>
            <ChangeLine change={change} />
            {line.filter(kind === 'rate' ? (one) => one !== null : Boolean).length >= pointsMin && (
              <Sparkline values={line} kind={kind} tone={tone} label={`${name} per hour over the last 24 hours`} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Rejected before there was a message, so that no figure has them. */
function NotSent({ figures, mayRead }: { figures: HomeFigures; mayRead: boolean }) {
  const { not_sent: count, not_sent_max: most } = figures
  const words = `${formatNumber(count)}${count >= most ? '+' : ''} ${messageStatus.not_sent.toLowerCase()}`
  return <span className="small">{mayRead ? <Link to="/messages?time=day&status=not_sent">{words}</Link> : words}</span>
}
