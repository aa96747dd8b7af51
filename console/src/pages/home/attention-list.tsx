import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { Icon, type IconName } from '../../components/icon.tsx'
import { RelativeTime } from '../../components/time.tsx'

type Item = Schemas['ConsoleAttention']
const icons: Record<Item['tone'], IconName> = { error: 'alert', warn: 'alert', info: 'clock' }

export function AttentionList({ items }: { items: readonly Item[] }) {
  return (
    <section className="card" aria-label="Needs attention">
      <div className="card-head">
        <h2>Needs attention</h2>
      </div>
      {items.length === 0 ? (
        <p className="card-body muted">
          All caught up: nothing failed, no webhook is failing, no template waits for you.
        </p>
      ) : (
        <ul className="plain-list">
          {items.map((item) => (
            <li key={item.id} className="attention" data-tone={item.tone}>
              <Icon name={icons[item.tone]} />
              <span className="grow">
                <span className="break">{item.text}</span>
                {item.detail && <span className="muted block break">{item.detail}</span>}
              </span>
              {item.since && (
                <span className="muted small">
                  since <RelativeTime at={item.since} />
                </span>
              )}
              <Link to={item.to} aria-label={`Open: ${item.text}`}>
                Open
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
