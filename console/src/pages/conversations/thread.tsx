import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { api, call } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { Button } from '../../components/form/button.tsx'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Icon } from '../../components/icon.tsx'
import { BlockDialog } from '../../components/message/block-dialog.tsx'
import { NewMessages } from '../../components/message/new-messages.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useNewestInSight } from '../../components/use-newest-in-sight.ts'
import { WindowChip } from '../../components/window-chip.tsx'
import { customerAddress } from '../../conversation-address.ts'
import { useMay } from '../../session.ts'
import { type Conversation, useThread } from './conversations-query.ts'
import { OwnerChip } from './owner.tsx'
import { Reply } from './reply.tsx'
import { ThreadEntry } from './thread-entry.tsx'

/** One customer: what was written, newest at the end, and where to answer. */
export function Thread({ customer }: { customer: string }) {
  const thread = useThread(customer)
  const maySend = useMay('messages:send')
  const section = useFocusFromList(thread.data !== undefined)
  const [written, setWritten] = useState(0)
  return (
    <section className="card thread" aria-label="Conversation" ref={section}>
      <QueryView query={thread}>
        {({ pages }) => {
          const newest = pages[0]
          if (!newest) return null
          return (
            <>
              <Head conversation={newest} />
              <Entries
                {...{ pages, written }}
                hasOlder={thread.hasNextPage}
                isBusy={thread.isFetchingNextPage}
                onOlder={() => void thread.fetchNextPage()}
              />
              {newest.blocked_at ? (
                <BlockedNote conversation={newest} at={newest.blocked_at} />
              ) : (
                maySend && <Reply conversation={newest} onSent={() => setWritten((count) => count + 1)} />
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

function Head({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient()
  const [search] = useSearchParams()
  const maySend = useMay('messages:send')
  const mayBlock = useMay('blocked:write')
  const [isBlocking, setBlocking] = useState(false)
  const { customer, name, unread, window, control, marketing, number, blocked_at: blockedAt } = conversation
  const markRead = useSubmit(async () => {
    const { receipt } = await call(api.POST('/console/api/conversation/read', { body: { customer } }))
    await client.invalidateQueries({ queryKey: ['conversations'] })
    toast(receipt === 'refused' ? 'Marked as read here. WhatsApp did not accept the read receipt.' : 'Marked as read')
  })
  const back = new URLSearchParams(search)
  back.delete('customer')
  return (
    <header className="thread-head">
      <Link to={`/conversations?${back}`} className="button thread-back" data-kind="quiet">
        <Icon name="arrow" size={16} /> <span className="thread-word">All conversations</span>
      </Link>
      <div className="thread-who">
        <h2 dir="auto" tabIndex={-1}>
          {name ?? customer}
        </h2>
        <p className="row small">
          {name && <span className="mono">{customer}</span>}
          {blockedAt ? (
            <Chip tone="error" icon="ban">
              Blocked
            </Chip>
          ) : (
            <WindowChip window={window} />
          )}
          <OwnerChip control={control} />
          {marketing.state === 'opted_out' && (
            <Chip tone="warn" icon="ban">
              No marketing
            </Chip>
          )}
          {number && <span className="muted">to {number.phone_number}</span>}
          {mayBlock && number && !blockedAt && (
            <Button kind="quiet" icon="ban" onClick={() => setBlocking(true)}>
              Block
            </Button>
          )}
        </p>
      </div>
      <div className="row thread-acts">
        {unread > 0 && maySend && (
          <Button icon="checks" busy={markRead.busy} onClick={() => void markRead.submit()}>
            <span className="thread-word">Mark as read</span>
          </Button>
        )}
        <Link to={customerAddress(customer)} className="button" data-kind="quiet">
          <Icon name="user" size={16} /> <span className="thread-word">Customer</span>
        </Link>
      </div>
      <FailureNotice failure={markRead.failure} />
      {isBlocking && number && (
        <BlockDialog
          act="block"
          isTooLate={window.state === 'closed'}
          onClose={() => setBlocking(false)}
          {...{ customer, name, number }}
        />
      )}
    </header>
  )
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
        <BlockDialog act="unblock" onClose={() => setAsking(false)} {...{ customer, name, number }} />
      )}
    </div>
  )
}

type EntriesProps = {
  pages: readonly Conversation[]
  written: number
  hasOlder: boolean
  isBusy: boolean
  onOlder: () => void
}

function Entries({ pages, written, hasOlder, isBusy, onOlder }: EntriesProps) {
  const messages = useMemo(() => pages.toReversed().flatMap((page) => page.messages), [pages])
  const ids = useMemo(() => messages.map(({ id }) => id), [messages])
  const { screen, unseen, showNewest } = useNewestInSight(ids, written)
  const ours = pages[0]?.number?.phone_number ?? null
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
        {messages.map((message) => (
          <ThreadEntry key={message.id} message={message} ours={ours} />
        ))}
      </div>
      {unseen > 0 && <NewMessages count={unseen} onShow={showNewest} />}
    </div>
  )
}
