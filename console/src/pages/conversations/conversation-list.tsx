import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/form/button.tsx'
import { SearchField } from '../../components/form/search-field.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { countOf } from '../../components/plural.ts'
import { QueryView } from '../../components/query-view.tsx'
import { ClockTime, RelativeTime, TimesInside } from '../../components/time.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { WindowChip } from '../../components/window-chip.tsx'
import { type ConversationLine, useConversations, useSteadyOrder } from './conversations-query.ts'

/** Who wrote, the unread first. While a person points at it or moves through it, no row moves. */
export function ConversationList({ chosen }: { chosen: string | null }) {
  const { search, narrow } = useNarrow()
  const wanted = search.get('search') ?? ''
  const list = useConversations(wanted)
  const [isHeld, setHeld] = useState(false)
  const pages = list.data?.pages ?? []
  const known = new Map(pages.flatMap((page) => page.conversations).map((line) => [line.customer, line]))
  const { lines, waiting } = useSteadyOrder([...known.values()], pages.length, isHeld)
  const searchedBackTo = pages.at(-1)?.pagination.searched_back_to
  const address = pages[0]?.address ?? null
  const box = useFocusOnReturn(chosen)
  return (
    <nav className="card inbox-list" aria-label="Customers" ref={box}>
      <div className="inbox-search">
        <SearchField
          label="Search by name, number or text"
          value={wanted}
          onSettled={(text) => narrow({ search: text.trim() })}
        />
      </div>
      <QueryView query={list}>
        {() => (
          <>
            {waiting > 0 && (
              <Button kind="quiet" icon="refresh" onClick={() => setHeld(false)}>
                {countOf(waiting, 'new conversation')}
              </Button>
            )}
            {lines.length === 0 && !list.hasNextPage && <Nobody wanted={wanted} />}
            <ul
              className="people inbox-people"
              onPointerEnter={() => setHeld(true)}
              onPointerLeave={() => setHeld(false)}
              onFocus={() => setHeld(true)}
              onBlur={() => setHeld(false)}
            >
              {lines.map((line) => (
                <li key={line.customer}>
                  <CustomerLink line={line} isChosen={line.customer === chosen} search={wanted} />
                </li>
              ))}
            </ul>
            {address !== null && !known.has(address) && (
              <p className="inbox-note">
                <Link to={addressOf(address, '')}>Write to {address}</Link>
              </p>
            )}
            {searchedBackTo && (
              <p className="inbox-note muted small">
                Searched back to <ClockTime at={searchedBackTo} day />.
              </p>
            )}
            {list.hasNextPage && (
              <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {wanted === '' ? 'Show more' : 'Search older messages'}
              </Button>
            )}
          </>
        )}
      </QueryView>
    </nav>
  )
}

/** On a narrow screen the list takes the place of a conversation: the focus goes back to the customer it was about. */
function useFocusOnReturn(chosen: string | null) {
  const box = useRef<HTMLElement>(null)
  const before = useRef(chosen)
  useEffect(() => {
    const left = before.current
    before.current = chosen
    if (chosen !== null || left === null) return
    const links = box.current?.querySelectorAll<HTMLElement>('[data-customer]') ?? []
    Array.from(links)
      .find(({ dataset }) => dataset.customer === left)
      ?.focus()
  }, [chosen])
  return box
}

function CustomerLink({ line, isChosen, search }: { line: ConversationLine; isChosen: boolean; search: string }) {
  const { customer, name, unread, window } = line
  const shown = line.found ?? line.last
  return (
    <Link
      to={addressOf(customer, search)}
      className="person"
      data-customer={customer}
      aria-current={isChosen ? 'true' : undefined}
      data-unread={unread > 0}
    >
      <span className="person-head">
        <strong dir="auto" className="person-name">
          {name ?? customer}
        </strong>
        {unread > 0 && (
          <span className="count">
            {formatNumber(unread)} <span className="visually-hidden">unread</span>
          </span>
        )}
      </span>
      {name && <span className="mono small">{customer}</span>}
      {shown ? <LastWords last={shown} /> : <span className="person-last">No messages yet</span>}
      <span className="person-foot muted small">
        <TimesInside>
          {(shown?.at ?? line.last_inbound_at) && <RelativeTime at={shown?.at ?? line.last_inbound_at ?? ''} />}
        </TimesInside>
        <WindowChip window={window} />
      </span>
    </Link>
  )
}

function LastWords({ last }: { last: NonNullable<ConversationLine['last']> }) {
  const { direction, preview, template, type, status, code } = last
  const failure = code === 'send_outcome_unknown' ? 'Not confirmed:' : 'Not delivered:'
  const whose = status === 'failed' ? failure : direction === 'outbound' ? 'You:' : null
  return (
    <span className="person-words">
      {whose && <span className="person-whose">{whose} </span>}
      <span className="person-last" dir="auto">
        {preview ?? template ?? type}
      </span>
    </span>
  )
}

function Nobody({ wanted }: { wanted: string }) {
  return (
    <p className="inbox-note muted">
      {wanted === '' ? 'No customer has written yet.' : 'No results. Search for part of a name, number or message.'}
    </p>
  )
}

function addressOf(customer: string, search: string): string {
  return `/conversations?${new URLSearchParams({ customer, ...(search ? { search } : {}) })}`
}
