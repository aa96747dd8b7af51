import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { useMay } from '../../session.ts'
import { Chip, HttpChip } from '../chip.tsx'
import { CodeBlock } from '../code-block.tsx'
import { CopyButton, CopyText, shortened } from '../form/copy.tsx'
import { RetryButton } from '../form/retry-button.tsx'
import { formatDuration } from '../format-number.ts'
import { Drawer } from '../overlay/dialog.tsx'
import { prettyJson } from '../pretty-json.ts'
import { QueryView } from '../query-view.tsx'
import { ExactTime, RelativeTime } from '../time.tsx'
import { DeliveryChip } from './delivery-chip.tsx'

type Delivery = Schemas['DeliveryWithAttempts']
type Attempt = Schemas['DeliveryAttempt']

/** The request and the response of each attempt. Answers are shown as text, whatever they are. */
export function DeliveryDrawer({ webhookId, id, onClose }: { webhookId: string; id: string; onClose: () => void }) {
  const delivery = useQuery({
    queryKey: ['deliveries', 'one', webhookId, id],
    queryFn: ({ signal }) => {
      const path = { webhook_id: webhookId, delivery_id: id }
      return call(api.GET('/console/api/webhooks/{webhook_id}/deliveries/{delivery_id}', { params: { path }, signal }))
    },
  })
  return (
    <Drawer title={delivery.data?.type ?? 'Delivery'} onClose={onClose}>
      <QueryView query={delivery}>{(data) => <Content delivery={data} webhookId={webhookId} />}</QueryView>
    </Drawer>
  )
}

function Content({ delivery, webhookId }: { delivery: Delivery; webhookId: string }) {
  const mayWrite = useMay('webhooks:write')
  const mayRead = useMay('messages:read')
  const { message_id: messageId } = delivery
  return (
    <>
      <dl className="facts">
        <dt>Outcome</dt>
        <dd className="row">
          <DeliveryChip status={delivery.status} />
          {mayWrite && delivery.status !== 'sending' && (
            <RetryButton webhookId={webhookId} deliveryId={delivery.id} again={delivery.status === 'delivered'} />
          )}
        </dd>
        <dt>Event id</dt>
        <dd>
          <CopyText text={delivery.event_id} what="event id" />
        </dd>
        <dt>Delivery id</dt>
        <dd>
          <CopyText text={delivery.id} what="delivery id" />
        </dd>
        {messageId && (
          <>
            <dt>Message</dt>
            <dd className="copy">
              {mayRead ? (
                <Link to={`/messages/${encodeURIComponent(messageId)}`}>{shortened(messageId, 12, 6)}</Link>
              ) : (
                shortened(messageId, 12, 6)
              )}
              <CopyButton text={messageId} label="Copy message id" />
            </dd>
          </>
        )}
        <dt>Happened</dt>
        <dd>
          <ExactTime at={delivery.created_at} />
        </dd>
        {delivery.next_attempt_at && (
          <>
            <dt>Next attempt</dt>
            <dd>
              <RelativeTime at={delivery.next_attempt_at} />
            </dd>
          </>
        )}
      </dl>
      <h3>Attempts</h3>
      {delivery.attempts.length === 0 && <p className="muted">None yet.</p>}
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptCard key={attempt.id} attempt={attempt} />
      ))}
      <h3>Event</h3>
      {delivery.request_body === null ? (
        <p className="muted">The event itself is no longer kept.</p>
      ) : (
        <CodeBlock title="Request body" samples={{ json: prettyJson(delivery.request_body) }} />
      )}
    </>
  )
}

function AttemptCard({ attempt }: { attempt: Attempt }) {
  return (
    <section className="card card-body stack stack-tight" aria-label={`Attempt ${attempt.number}`}>
      <div className="row">
        <strong>Attempt {attempt.number}</strong>
        {attempt.status_code !== null ? (
          <HttpChip status={attempt.status_code} />
        ) : (
          <Chip tone="error" icon="alert">
            {attempt.error_code ?? 'no response'}
          </Chip>
        )}
        {attempt.error_code && <CopyButton text={attempt.error_code} label="Copy error code" />}
        <span className="muted small">
          {formatDuration(attempt.duration_ms)} · {attempt.trigger}
          {attempt.late && ' · late, not counted'}
        </span>
        <span className="grow" />
        <span className="small">
          <ExactTime at={attempt.started_at} />
        </span>
      </div>
      <p className="small muted break">
        {attempt.url}
        {attempt.remote_ip && ` (${attempt.remote_ip})`}
        <CopyButton text={attempt.url} label="Copy address" />
      </p>
      {attempt.error_message && <p className="small">{attempt.error_message}</p>}
      <Headers title={`Headers of request ${attempt.number}`} headers={attempt.request_headers} />
      <Headers title={`Headers of response ${attempt.number}`} headers={attempt.response_headers} />
      {attempt.response_body !== null && (
        <CodeBlock
          title={`Body of response ${attempt.number}`}
          samples={{ text: attempt.response_body || '(empty)' }}
        />
      )}
    </section>
  )
}

function Headers({ title, headers }: { title: string; headers: Readonly<Record<string, string>> }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return lines.length === 0 ? null : <CodeBlock title={title} samples={{ text: lines.join('\n') }} />
}
