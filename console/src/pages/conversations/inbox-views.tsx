import { countText, useInboxCounts } from '../../inbox/inbox-counts.ts'
import { type View, views, type Wanted } from './conversations-query.ts'

const names: Record<View, string> = {
  all: 'All',
  unread: 'Unread',
  mine: 'Mine',
  unassigned: 'Unassigned',
  closing: 'Closing',
  closed: 'Closed',
}

const meanings: Partial<Record<View, string>> = { closing: 'The 24-hour window closes within 4 hours' }

/** Which conversations, with how many there are, and in which order. */
export function InboxViews({ wanted, narrow }: { wanted: Wanted; narrow: (change: Record<string, string>) => void }) {
  const counts = useInboxCounts()
  const countOf: Partial<Record<View, number | undefined>> = {
    all: counts?.open,
    unread: counts?.unread,
    mine: counts?.mine,
    unassigned: counts?.unassigned,
  }
  return (
    <div className="inbox-views">
      <fieldset className="inbox-tabs">
        <legend className="visually-hidden">Show</legend>
        {views.map((view) => {
          const count = countOf[view]
          return (
            <button
              key={view}
              type="button"
              className="inbox-tab"
              aria-pressed={wanted.view === view}
              title={meanings[view]}
              onClick={() => narrow({ view: view === 'all' ? '' : view })}
            >
              {names[view]}
              {count !== undefined && count > 0 && counts && (
                <span className="inbox-tab-count">{countText(count, counts.counted_max)}</span>
              )}
            </button>
          )
        })}
      </fieldset>
      {wanted.view !== 'closed' && (
        <button
          type="button"
          className="inbox-tab inbox-order"
          aria-pressed={wanted.order === 'waiting'}
          title="Customers without a reply, longest wait first"
          onClick={() => narrow({ order: wanted.order === 'waiting' ? '' : 'waiting' })}
        >
          Longest waiting
        </button>
      )}
    </div>
  )
}
