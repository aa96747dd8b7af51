import { useCallback, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/form/button.tsx'
import { SearchField } from '../../components/form/search-field.tsx'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { ClockTime } from '../../components/time.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useMay } from '../../session.ts'
import { useConversations, useSteadyOrder, wantedIn } from './conversations-query.ts'
import { NewMessageDialog } from './dialogs/new-message-dialog.tsx'
import { InboxRows } from './inbox-rows.tsx'
import { InboxViews } from './inbox-views.tsx'
import { addressIn } from './list-address.ts'
import { NotifySwitch } from './notify-switch.tsx'

/** Who wrote, by their last activity. While a person points at it or moves through it, no row moves. */
export function ConversationList({ chosen }: { chosen: string | null }) {
  const { search, narrow } = useNarrow()
  const wanted = wantedIn(search)
  const { list, pages, lines: all } = useConversations(wanted)
  const [isHeld, setHeld] = useState(false)
  const [isWriting, setWriting] = useState(false)
  const maySend = useMay('messages:send')
  const hold = { isHeld, open: chosen, list: JSON.stringify(wanted) }
  const { lines, news } = useSteadyOrder(all, pages.length, hold)
  const searchedBackTo = pages.at(-1)?.pagination.searched_back_to
  const address = pages[0]?.address ?? null
  const more = useMoreInSight(list.hasNextPage && !list.isFetchingNextPage, () => void list.fetchNextPage())
  return (
    <nav className="card inbox-list" aria-label="Customers">
      <div className="inbox-search">
        <div className="inbox-search-line">
          <SearchField
            label="Search by name, number or text"
            value={wanted.search}
            onSettled={(text) => narrow({ search: text.trim() })}
          />
          <NotifySwitch />
          {maySend && <Button icon="plus" kind="quiet" label="New message" onClick={() => setWriting(true)} />}
        </div>
        {wanted.search === '' && <InboxViews wanted={wanted} narrow={narrow} />}
      </div>
      <QueryView query={list}>
        {() => (
          <>
            {news > 0 && (
              <Button kind="quiet" icon="refresh" onClick={() => setHeld(false)}>
                {countOf(news, 'new conversation')}
              </Button>
            )}
            {lines.length === 0 && !list.hasNextPage && <Nobody {...wanted} />}
            <InboxRows lines={lines} chosen={chosen} onHold={setHeld} />
            {address !== null && !lines.some(({ customer }) => customer === address) && (
              <p className="inbox-note">
                <Link to={addressIn(search, address)}>Write to {address}</Link>
              </p>
            )}
            {searchedBackTo && (
              <p className="inbox-note muted small">
                Searched back to <ClockTime at={searchedBackTo} day />.
              </p>
            )}
            {list.hasNextPage && (
              <span ref={wanted.search === '' ? more : undefined} className="inbox-more">
                <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  {wanted.search === '' ? 'Show more' : 'Search older messages'}
                </Button>
              </span>
            )}
          </>
        )}
      </QueryView>
      {isWriting && <NewMessageDialog onClose={() => setWriting(false)} />}
    </nav>
  )
}

/** The next page is asked for before its button is reached. */
function useMoreInSight(isWanted: boolean, onSeen: () => void) {
  const seen = useRef(onSeen)
  seen.current = onSeen
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element || !isWanted) return
      const root = element.closest('.inbox-list')
      const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && seen.current(), {
        root: root && getComputedStyle(root).overflowY === 'auto' ? root : null,
        rootMargin: '600px',
      })
      observer.observe(element)
      return () => observer.disconnect()
    },
    [isWanted],
  )
}

const nobody = {
  all: 'No customer has written yet.',
  unread: 'Everything is read.',
  mine: 'No conversation is assigned to you.',
  unassigned: 'Every conversation has an assignee.',
  closing: 'No window closes within 4 hours.',
  closed: 'No conversation is closed.',
} as const

function Nobody({ search, view, order }: ReturnType<typeof wantedIn>) {
  const none = view === 'all' && order === 'waiting' ? 'Nobody is waiting for a reply.' : nobody[view]
  return (
    <p className="inbox-note muted">
      {search === '' ? none : 'No results. Search for part of a name, number or message.'}
    </p>
  )
}
