import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, call, type Schemas } from '../../api.ts'
import { StatusChip } from '../../components/chip.tsx'
import { Icon } from '../../components/icon.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/time.tsx'

type LogEntry = Schemas['ConsoleLogEntry']

/** The newest few; they follow the gateway by themselves. */
export function LatestMessages() {
  const latest = useQuery({
    queryKey: ['messages', 'latest'],
    queryFn: ({ signal }) => call(api.GET('/console/api/messages', { params: { query: { limit: 8 } }, signal })),
  })
  return (
    <section className="card" aria-label="Latest messages">
      <div className="card-head">
        <h2>Latest messages</h2>
        <span className="row">
          <LiveMark />
          <Link to="/messages">See all</Link>
        </span>
      </div>
      <QueryView query={latest}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p className="card-body muted">No messages yet. Sent and received messages appear here immediately.</p>
          ) : (
            <ul className="plain-list">
              {entries.map((entry) => (
                <Line key={entry.id} entry={entry} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}

function Line({ entry }: { entry: LogEntry }) {
  const words = entry.status === 'not_sent' ? entry.code : (entry.preview ?? entry.template)
  const content = (
    <>
      <span className="direction" data-direction={entry.direction}>
        <Icon name="arrow" size={15} />
        <span className="visually-hidden">{entry.direction === 'outbound' ? 'To' : 'From'}</span>
        {entry.name === null ? (
          <span className="mono">{entry.customer ?? '–'}</span>
        ) : (
          <span className="latest-name" dir="auto" title={`${entry.name} ${entry.customer ?? ''}`}>
            {entry.name}
          </span>
        )}
      </span>
      <span className="latest-words" dir="auto">
        {words ?? entry.type}
      </span>
    </>
  )
  return (
    <li className="latest-line">
      {entry.status === 'not_sent' ? (
        <span className="latest-what">{content}</span>
      ) : (
        <Link to={`/messages/${encodeURIComponent(entry.id)}`} className="latest-what">
          {content}
        </Link>
      )}
      <span>
        <StatusChip status={entry.status} />
      </span>
      <span className="muted small">
        <RelativeTime at={entry.at} />
      </span>
    </li>
  )
}
