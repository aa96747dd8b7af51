import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { Chip, HttpChip } from '../../components/chip.tsx'
import { RetryButton } from '../../components/form/retry-button.tsx'
import { formatDuration } from '../../components/format-number.ts'
import { shortUrl } from '../../components/short-url.ts'
import { ClockTime, dayText, RelativeTime } from '../../components/time.tsx'
import { usePreferences } from '../../preferences.ts'
import { useMay } from '../../session.ts'
import { timelineSteps } from './timeline-steps.ts'

type Message = Schemas['ConsoleMessageDetail']
type Told = Schemas['ConsoleTracedEvent']['deliveries'][number]

/** What happened, when, how long it took, and what each webhook was told about it. */
export function Timeline({ message }: { message: Message }) {
  const { utc } = usePreferences()
  const steps = timelineSteps(message.history)
  const waits = message.unresolved || message.status === 'queued'
  return (
    <ol className="timeline">
      {steps.map((step, index) => {
        const isNewDay = dayText(step.at, utc) !== dayText(steps[index - 1]?.at ?? 0, utc)
        const events = message.events.filter(({ type }) => type === `message.${step.status}`)
        return (
          <li
            key={`${step.status} ${step.at}`}
            className="timeline-step"
            data-tone={step.status === 'failed' ? 'error' : 'ok'}
          >
            <div className="timeline-head">
              <strong>{step.title}</strong>
              <span className="timeline-time">
                <ClockTime at={step.at} precise day={isNewDay} />
              </span>
              {step.after && <span className="muted small">{step.after}</span>}
              {step.inferred && <span className="muted small">inferred from the next step</span>}
              {step.status === 'queued' && message.key_name && (
                <span className="muted small">API key {message.key_name}</span>
              )}
            </div>
            <Webhooks told={events.flatMap(({ deliveries }) => deliveries)} />
          </li>
        )
      })}
      {waits && (
        <li className="timeline-step" data-tone="waiting">
          <span className="muted">
            {message.unresolved ? 'Meta has not confirmed it. Do not send it again.' : 'Waiting for Meta'}
          </span>
        </li>
      )}
    </ol>
  )
}

/** As many stand open; more of them are one line that opens. What has not arrived is always open. */
const openMax = 5

function Webhooks({ told }: { told: readonly Told[] }) {
  const delivered = told.filter(({ status }) => status === 'delivered')
  const isLong = told.length > openMax && delivered.length > 1
  const open = isLong ? told.filter(({ status }) => status !== 'delivered') : told
  return (
    <>
      {open.map((one) => (
        <Webhook key={one.delivery_id} told={one} />
      ))}
      {isLong && (
        <details className="small">
          <summary>
            {delivered.length} of {told.length} webhooks accepted it
          </summary>
          {delivered.map((one) => (
            <Webhook key={one.delivery_id} told={one} />
          ))}
        </details>
      )}
    </>
  )
}

/** One webhook or listener that was told. */
export function Webhook({ told }: { told: Told }) {
  const mayRetry = useMay('webhooks:write')
  const mayOpen = useMay('webhooks:read')
  const place = shortUrl(told.url)
  return (
    <div className="told">
      <span className="muted">{told.url === 'postern listen' ? 'Listener' : 'Webhook'}</span>
      {mayOpen ? <Link to={`/webhooks/${told.webhook_id}?delivery=${told.delivery_id}`}>{place}</Link> : place}
      {told.status_code !== null && <HttpChip status={told.status_code} />}
      {told.status_code === null && told.status !== 'delivered' && (
        <Chip icon={told.error_code ? 'alert' : 'clock'} tone={told.error_code ? 'error' : 'neutral'}>
          {told.error_code ?? told.status}
        </Chip>
      )}
      {told.duration_ms !== null && <span className="muted">{formatDuration(told.duration_ms)}</span>}
      {told.next_attempt_at && told.attempts > 0 && (
        <span className="muted">
          next attempt <RelativeTime at={told.next_attempt_at} />
        </span>
      )}
      {mayRetry && told.attempts > 0 && told.status !== 'delivered' && (
        <RetryButton webhookId={told.webhook_id} deliveryId={told.delivery_id} />
      )}
    </div>
  )
}
