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
      line: share(({ delivered, created }) => [delivered, created]),
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
      more: figures.not_sent > 0 && <NotSent count={figures.not_sent} mayRead={mayRead} />,
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
      {shown.map(({ name, value, line, to, kind, tone, more }) => (
        <div key={name} className="card figure">
          <dt>{mayRead ? <Link to={to}>{name}</Link> : name}</dt>
          <dd>
            <span className="figure-value">
              <span className="big-number">{value}</span>
              {more}
            </span>
            <Sparkline values={line} kind={kind} tone={tone} label={`${name} per hour over the last 24 hours`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

// The gateway counts no more of them than this.
const notSentMax = 1_000

/** Refused before there was a message, so that no figure has them. */
function NotSent({ count, mayRead }: { count: number; mayRead: boolean }) {
  const words = `${formatNumber(count)}${count >= notSentMax ? '+' : ''} ${messageStatus.not_sent.toLowerCase()}`
  return <span className="small">{mayRead ? <Link to="/messages?time=day&status=not_sent">{words}</Link> : words}</span>
}
