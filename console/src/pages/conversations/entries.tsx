import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { NewMessages } from '../../components/message/new-messages.tsx'
import { currentTime, dayName, dayText } from '../../components/time.tsx'
import { useNewestInSight } from '../../components/use-newest-in-sight.ts'
import { usePreferences } from '../../preferences.ts'
import type { Conversation, ThreadMessage } from './conversations-query.ts'
import { ThreadEntry } from './thread-entry.tsx'
import { entriesOf } from './thread-messages.ts'

type EntriesProps = {
  pages: readonly Conversation[]
  written: number
  /** The id of a message that was looked for: it is shown first, and marked. */
  at: string | null
  hasOlder: boolean
  isBusy: boolean
  onOlder: () => void
  onQuote: ((message: ThreadMessage) => void) | null
}

/** So near to the beginning the older messages are asked for. */
const olderPx = 400

export function Entries({ pages, written, at, hasOlder, isBusy, onOlder, onQuote }: EntriesProps) {
  const { utc } = usePreferences()
  const messages = useMemo(() => pages.toReversed().flatMap((page) => page.messages), [pages])
  const entries = useMemo(() => entriesOf(messages, (when) => dayText(when, utc)), [messages, utc])
  const ids = useMemo(() => messages.map(({ id }) => id), [messages])
  const { screen, unseen, showNewest } = useNewestInSight(ids, written)
  const ours = pages[0]?.number?.phone_number ?? null
  const to = pages[0]?.customer ?? ''
  const from = pages[0]?.number?.id
  const place = useMemo(() => ({ to, ...(from ? { from } : {}) }), [to, from])
  const older = hasOlder && !isBusy ? onOlder : null
  const { marked, lookFor } = useMessageInSight(screen, { ids, at, older, hasOlder })
  useOlderOnScroll(screen, older)
  return (
    <div className="thread-middle">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={screen} className="phone-screen thread-screen" role="log" aria-label="Messages" tabIndex={0}>
        {hasOlder && (
          <Button busy={isBusy} onClick={onOlder}>
            Show older messages
          </Button>
        )}
        {messages.length === 0 && <p className="phone-quiet">No messages yet.</p>}
        {entries.map(({ message, reactions, startsDay }) => (
          <ThreadEntry
            key={message.id}
            {...{ message, reactions, ours, place, onQuote }}
            isMarked={message.id === marked}
            day={startsDay ? dayName(message.at, currentTime(), utc) : null}
            onQuoted={lookFor}
          />
        ))}
      </div>
      {unseen > 0 && <NewMessages count={unseen} onShow={showNewest} />}
    </div>
  )
}

function useOlderOnScroll(screen: RefObject<HTMLDivElement | null>, older: (() => void) | null): void {
  useEffect(() => {
    const element = screen.current
    if (!element || !older) return
    const look = () => element.scrollTop < olderPx && older()
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [screen, older])
}

type Sought = { ids: readonly string[]; at: string | null; older: (() => void) | null; hasOlder: boolean }

/** Loads older messages until the wanted one is there, then brings it into sight. */
function useMessageInSight(screen: RefObject<HTMLDivElement | null>, { ids, at, older, hasOlder }: Sought) {
  const [wanted, setWanted] = useState(at)
  const [marked, setMarked] = useState<string | null>(null)
  const before = useRef(at)
  if (before.current !== at) {
    before.current = at
    setWanted(at)
  }
  useLayoutEffect(() => {
    if (wanted === null) return
    if (!ids.includes(wanted)) {
      if (older) older()
      else if (!hasOlder) setWanted(null)
      return
    }
    const entry = screen.current?.querySelector(`[data-message="${CSS.escape(wanted)}"]`)
    entry?.scrollIntoView({ block: 'center' })
    setMarked(wanted)
    setWanted(null)
  }, [wanted, ids, older, hasOlder, screen])
  return { marked, lookFor: useCallback((id: string) => setWanted(id), []) }
}
