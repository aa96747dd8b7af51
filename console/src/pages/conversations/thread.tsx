import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/form/button.tsx'
import { OnDemand } from '../../components/load/load-boundary.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useMay } from '../../session.ts'
import { type Conversation, type ThreadMessage, useThread } from './conversations-query.ts'
import { BlockDialog } from './dialogs/dialogs.ts'
import { Entries } from './entries.tsx'
import { Reply } from './reply.tsx'
import { ThreadHead } from './thread-head.tsx'

/** One customer: what was written, newest at the end, and where to answer. `at`: a message to show first. */
export function Thread({ customer, at }: { customer: string; at: string | null }) {
  const thread = useThread(customer)
  const maySend = useMay('messages:send')
  const section = useFocusFromList(thread.data !== undefined)
  const [written, setWritten] = useState(0)
  const [quoted, setQuoted] = useState<ThreadMessage | null>(null)
  return (
    <section className="card thread" aria-label="Conversation" ref={section}>
      <QueryView query={thread}>
        {({ pages }) => {
          const newest = pages[0]
          if (!newest) return null
          const mayReply = maySend && newest.blocked_at === null
          return (
            <>
              <ThreadHead conversation={newest} />
              <Entries
                {...{ pages, written, at }}
                hasOlder={thread.hasNextPage}
                isBusy={thread.isFetchingNextPage}
                onOlder={() => void thread.fetchNextPage()}
                onQuote={mayReply && newest.window.free_form ? setQuoted : null}
              />
              {newest.blocked_at ? (
                <BlockedNote conversation={newest} at={newest.blocked_at} />
              ) : (
                maySend && (
                  <Reply
                    conversation={newest}
                    quoted={quoted}
                    onQuoted={setQuoted}
                    onSent={() => setWritten((count) => count + 1)}
                  />
                )
              )}
            </>
          )
        }}
      </QueryView>
    </section>
  )
}

/**
 * Who chooses a customer wants to answer: otherwise every other customer lies between them and the field, and on a narrow
 * screen the list is gone, with the focus. A finger gets no keyboard it did not ask for.
 */
function useFocusFromList(isLoaded: boolean) {
  const section = useRef<HTMLElement>(null)
  const [fromList] = useState(() => Boolean(document.activeElement?.closest('.inbox-list')))
  useEffect(() => {
    if (!isLoaded || !fromList) return
    const canType = window.matchMedia('(hover: hover)').matches
    const reply = canType ? section.current?.querySelector('.reply') : null
    const field = reply?.querySelector<HTMLElement>('textarea') ?? reply?.querySelector<HTMLElement>('button')
    const target = field ?? section.current?.querySelector<HTMLElement>('h2')
    target?.focus({ preventScroll: true })
  }, [isLoaded, fromList])
  return section
}

/** In the place of the answer, which would be refused. */
function BlockedNote({ conversation, at }: { conversation: Conversation; at: string }) {
  const mayBlock = useMay('blocked:write')
  const [isAsking, setAsking] = useState(false)
  const { customer, name, number } = conversation
  return (
    <div className="thread-blocked">
      <p className="grow">
        Blocked <RelativeTime at={at} />. Their messages don&apos;t arrive, and you can&apos;t write to them.
      </p>
      {mayBlock && number && <Button onClick={() => setAsking(true)}>Unblock</Button>}
      {isAsking && number && (
        <OnDemand>
          <BlockDialog act="unblock" onClose={() => setAsking(false)} {...{ customer, name, number }} />
        </OnDemand>
      )}
    </div>
  )
}
