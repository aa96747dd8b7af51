import { Link } from 'wouter'
import { formatNumber } from '../../components/format-number.ts'
import { Meter } from '../../components/meter.tsx'
import { useMay } from '../../session.ts'
import { type Analytics, funnelSteps, logPath } from './analytics-figures.ts'

/** How many went how far. */
export function Funnel({ totals }: { totals: Analytics['totals'] }) {
  return (
    <section className="card card-body stack" aria-label="Funnel">
      <h2>Funnel</h2>
      <ol className="measure-list">
        {funnelSteps(totals).map(({ name, count, share }) => (
          <li key={name} className="measure">
            <span>{name}</span>
            <span className="number">
              {formatNumber(count)} <span className="muted">{share}</span>
            </span>
            <Meter label={name} used={count} quota={Math.max(1, totals.created)} />
          </li>
        ))}
      </ol>
    </section>
  )
}

export function Failures({ data, isGrowing }: { data: Analytics; isGrowing: boolean }) {
  const { failures } = data
  const mayRead = useMay('messages:read')
  const most = Math.max(1, ...failures.map(({ count }) => count))
  const logOf = (code: string) => logPath(data, isGrowing, { status: 'failed', code })
  return (
    <section className="card card-body stack" aria-label="Failures by reason">
      <h2>Failures by reason</h2>
      {failures.length === 0 ? (
        <p className="muted">All caught up: nothing failed.</p>
      ) : (
        <ul className="measure-list">
          {failures.map(({ code, count }) => (
            <li key={code} className="measure" data-tone="error">
              <Link to={`/help/errors#${code}`}>
                <code>{code}</code>
              </Link>
              <span className="number">
                {mayRead ? <Link to={logOf(code)}>{formatNumber(count)} failed</Link> : formatNumber(count)}
              </span>
              <Meter label={code} used={count} quota={most} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
