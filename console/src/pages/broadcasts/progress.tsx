import { Link } from 'wouter'
import { ErrorCode } from '../../components/error-code.tsx'
import { Facts } from '../../components/facts.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { Notice } from '../../components/state.tsx'
import { ExactTime } from '../../components/time.tsx'
import { type Broadcast, type Counts, isMoving } from './broadcast-query.ts'
import { parts, reasons, resultWords, skipWords } from './broadcast-texts.ts'
import { ResultBar } from './result-bar.tsx'

/** What stands in the way, how far it is, and how fast it goes. */
export function Progress({ record }: { record: Broadcast }) {
  const { reason, hold, status, rate, max_per_second: own, cost, failures, skipped } = record
  return (
    <>
      {reason !== null && (
        <Notice tone={status === 'paused' ? 'warn' : 'info'} icon={status === 'paused' ? 'pause' : 'clock'}>
          <p>
            <strong>{reasons[reason].what}</strong>
          </p>
          <p>
            {reasons[reason].act}
            {hold?.until && (
              <>
                {' '}
                It looks again at <ExactTime at={hold.until} />.
              </>
            )}{' '}
            <WhereToLook reason={reason} />
          </p>
        </Notice>
      )}
      <section className="card card-body stack" aria-label="Progress">
        <ResultBar counts={record.counts} />
        <Legend counts={record.counts} />
        <Facts
          rows={[
            [
              'Rate',
              rate &&
                `${rate.per_second} a second${own !== null && own <= rate.per_second ? ', as you limited it' : ', the rate of the number'}`,
            ],
            ['All recipients processed', rate && <ExactTime at={rate.ends_at} />],
            ['Starts', status === 'scheduled' && record.start_at && <ExactTime at={record.start_at} />],
            ['Started', record.started_at && <ExactTime at={record.started_at} />],
            ['Sends until', isMoving(record) && record.expires_at && <ExactTime at={record.expires_at} />],
            ['Ended', record.ended_at && <ExactTime at={record.ended_at} />],
            ['Cost of delivered messages', cost && `${cost.amount} ${cost.currency}`],
            [
              'Skipped',
              Object.entries(skipped)
                .map(([why, count]) => `${formatNumber(count)} ${skipWords[why] ?? why}`)
                .join(', '),
            ],
            ['Failures', failures.length > 0 && <Failures failures={failures} />],
          ]}
        />
      </section>
    </>
  )
}

function Legend({ counts }: { counts: Counts }) {
  const shown = parts.filter((part) => counts[part] > 0 || part === 'waiting')
  return (
    <dl className="result-legend">
      {shown.map((part) => (
        <div key={part} className="result-entry">
          <dt>
            <span className="result-mark" data-result={part} />
            {resultWords[part]}
          </dt>
          <dd>{formatNumber(counts[part])}</dd>
        </div>
      ))}
      <div className="result-entry">
        <dt>Recipients</dt>
        <dd>{formatNumber(counts.accepted)}</dd>
      </div>
    </dl>
  )
}

function Failures({ failures }: { failures: Broadcast['failures'] }) {
  return (
    <ul className="plain-list">
      {failures.map(({ code, count }) => (
        <li key={code} className="row">
          {formatNumber(count)} <ErrorCode code={code} />
        </li>
      ))}
    </ul>
  )
}

const places: Partial<Record<NonNullable<Broadcast['reason']>, { to: string; title: string }>> = {
  channel: { to: '/channel', title: 'Open the channel' },
  quality_low: { to: '/channel', title: 'Open the channel' },
  restricted: { to: '/channel', title: 'Open the channel' },
  messaging_limit: { to: '/channel', title: 'Open the channel' },
  quota: { to: '/settings/plan', title: 'See the plan' },
  template_paused: { to: '/templates', title: 'Open templates' },
  template_changed: { to: '/templates', title: 'Open templates' },
  template_rejected: { to: '/templates', title: 'Open templates' },
}

function WhereToLook({ reason }: { reason: NonNullable<Broadcast['reason']> }) {
  const place = places[reason]
  return place ? <Link to={place.to}>{place.title}</Link> : null
}
