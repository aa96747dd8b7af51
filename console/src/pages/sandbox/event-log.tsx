import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { Chip, HttpChip } from '../../components/chip.tsx'
import { formatDuration } from '../../components/format-number.ts'
import { LiveMark } from '../../components/live-mark.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { shortUrl } from '../../components/short-url.ts'
import { ClockTime, TimesInside } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { useWebhooks } from '../../webhooks-query.ts'

type Traced = Schemas['ConsoleTracedEvent']

/** What the gateway told, newest first, and what webhooks answered. */
export function EventLog() {
  const events = useQuery({
    queryKey: ['sandbox', 'events'],
    queryFn: ({ signal }) => call(api.GET('/console/api/sandbox/events', { signal })),
  })
  return (
    <section className="card" aria-label="Event log">
      <div className="card-head">
        <h2>Event log</h2>
        <LiveMark />
      </div>
      <QueryView query={events}>
        {({ events: found }) =>
          found.length === 0 ? (
            <p className="card-body muted">Events appear here as they happen.</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            <ul className="plain-list event-log" tabIndex={0} aria-label="Events">
              <TimesInside>
                {found.map((event) => (
                  <EventLine key={event.id} event={event} />
                ))}
              </TimesInside>
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}

function EventLine({ event }: { event: Traced }) {
  const mayOpen = useMay('webhooks:read')
  const webhooks = useWebhooks(mayOpen)
  const listener = webhooks.data?.listeners.find(({ connected }) => connected)
  return (
    <li className="event-line">
      <span className="mono muted">
        <ClockTime at={event.at} precise />
      </span>
      {event.message_id ? (
        <Link to={`/messages/${encodeURIComponent(event.message_id)}`}>
          <code>{event.type}</code>
        </Link>
      ) : (
        <code>{event.type}</code>
      )}
      {listener && !event.deliveries.some((told) => told.webhook_id === listener.id) && (
        <Link to={`/webhooks/${listener.id}`}>postern listen</Link>
      )}
      {event.deliveries.length === 0 && !listener && <span className="muted">no webhook</span>}
      {event.deliveries.length > deliveriesMax ? (
        <details>
          <summary>
            {event.deliveries.filter(({ status }) => status === 'delivered').length} of {event.deliveries.length}{' '}
            webhooks accepted it
          </summary>
          <Deliveries told={event.deliveries} mayOpen={mayOpen} />
        </details>
      ) : (
        <Deliveries told={event.deliveries} mayOpen={mayOpen} />
      )}
    </li>
  )
}

/** More of them are one line that opens. */
const deliveriesMax = 3

function Deliveries({ told: deliveries, mayOpen }: { told: Traced['deliveries']; mayOpen: boolean }) {
  return deliveries.map((told) => {
    const place = shortUrl(told.url)
    return (
      <span key={told.delivery_id} className="row">
        {mayOpen ? <Link to={`/webhooks/${told.webhook_id}?delivery=${told.delivery_id}`}>{place}</Link> : place}
        {told.status_code !== null ? (
          <HttpChip status={told.status_code} />
        ) : (
          <Chip icon="clock">{told.error_code ?? told.status}</Chip>
        )}
        {told.duration_ms !== null && <span className="muted">{formatDuration(told.duration_ms)}</span>}
      </span>
    )
  })
}
