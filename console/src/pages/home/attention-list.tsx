import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { type Action, useSession } from '../../session.ts'

type Item = Schemas['ConsoleAttention']
const icons: Record<Item['tone'], IconName> = { error: 'alert', warn: 'alert', info: 'clock' }

/** What a role needs for the page an item leads to. */
const neededActions: Record<string, Action> = {
  channel: 'channel:read',
  messages: 'messages:read',
  number: 'profile:read',
  templates: 'templates:read',
  webhooks: 'webhooks:read',
}

export function AttentionList({ items }: { items: readonly Item[] }) {
  const { actions } = useSession()
  const mayOpen = (to: string) => {
    const needed = neededActions[to.split(/[/?]/)[1] ?? '']
    return needed !== undefined && actions.includes(needed)
  }
  return (
    <section className="card" aria-label="Needs attention">
      <div className="card-head">
        <h2>Needs attention</h2>
      </div>
      {items.length === 0 ? (
        <p className="card-body muted">No failed messages, no failing webhooks, no templates that need attention.</p>
      ) : (
        <ul className="plain-list">
          {items.map((item) => (
            <li key={item.id} className="attention" data-tone={item.tone}>
              <Icon name={icons[item.tone]} />
              <span className="grow">
                <span className="break">{item.text}</span>
                {item.detail && <span className="muted block break">{item.detail}</span>}
                {item.next_attempt_at && (
                  <span className="muted block">
                    Next attempt <RelativeTime at={item.next_attempt_at} />
                  </span>
                )}
              </span>
              {item.since && (
                <span className="muted small">
                  <RelativeTime at={item.since} />
                </span>
              )}
              {mayOpen(item.to) && (
                <Link to={item.to} aria-label={`Open: ${item.text}`}>
                  Open
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
