import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Chip, HttpChip } from '../../components/chip.tsx'
import { formatDuration } from '../../components/meter.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { clockSeconds, RelativeTime } from '../../components/time.tsx'
import { toast } from '../../components/toast.tsx'
import { useSubmit } from '../../components/use-submit.ts'
import { useMay } from '../../session.ts'
import { timelineSteps } from './timeline-steps.ts'

type Message = Schemas['ConsoleMessageDetail']
type Told = Schemas['ConsoleTracedEvent']['deliveries'][number]

/** What happened, when, how long it took, and what each webhook was told about it. */
export function Timeline({ message }: { message: Message }) {
  const steps = timelineSteps(message.history)
  const waits = message.unresolved || message.status === 'queued'
  return (
    <ol className="timeline">
      {steps.map((step) => {
        const events = message.events.filter(({ type }) => type === `message.${step.status}`)
        return (
          <li
            key={`${step.status} ${step.at}`}
            className="timeline-step"
            data-tone={step.status === 'failed' ? 'error' : 'ok'}
          >
            <div className="timeline-head">
              <strong>{step.title}</strong>
              <time dateTime={step.at} className="timeline-time" title={step.at}>
                {clockSeconds(step.at)}
              </time>
              {step.after && <span className="muted small">{step.after}</span>}
              {step.inferred && <span className="muted small">concluded from the next step</span>}
              {step.status === 'queued' && message.key_name && (
                <span className="muted small">API key {message.key_name}</span>
              )}
            </div>
            {events.flatMap(({ deliveries }) =>
              deliveries.map((told) => <Webhook key={told.delivery_id} told={told} />),
            )}
          </li>
        )
      })}
      {waits && (
        <li className="timeline-step" data-tone="waiting">
          <span className="muted">
            {message.unresolved
              ? 'The platform has not confirmed it. Do not send it again.'
              : 'Waiting for the platform'}
          </span>
        </li>
      )}
    </ol>
  )
}

/** One webhook that was told. */
export function Webhook({ told }: { told: Told }) {
  const client = useQueryClient()
  const mayRetry = useMay('webhooks:write')
  const mayOpen = useMay('webhooks:read')
  const path = { webhook_id: told.webhook_id, delivery_id: told.delivery_id }
  const retry = useSubmit(async () => {
    await call(api.POST('/console/api/webhooks/{webhook_id}/deliveries/{delivery_id}/retry', { params: { path } }))
    await client.invalidateQueries({ queryKey: ['messages'] })
    toast('Queued for a new attempt')
  })
  const host = URL.canParse(told.url) ? new URL(told.url).host : told.url
  return (
    <div className="told">
      <span className="muted">Webhook</span>
      {mayOpen ? <Link to={`/webhooks/${told.webhook_id}?delivery=${told.delivery_id}`}>{host}</Link> : host}
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
        <Button kind="quiet" icon="refresh" busy={retry.busy} onClick={() => void retry.submit()}>
          Retry now
        </Button>
      )}
      <FailureNotice failure={retry.failure} />
    </div>
  )
}
