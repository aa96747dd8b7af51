import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { api, call, type Schemas, toFailure } from '../../api.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { Icon } from '../../components/icon.tsx'
import { Bubble } from '../../components/message/bubble.tsx'
import { NewMessages } from '../../components/message/new-messages.tsx'
import type { Tap } from '../../components/message/seen-message.ts'
import { type Loading, StaleNotice } from '../../components/query-view.tsx'
import { ErrorState, FailureNotice, Skeleton } from '../../components/state.tsx'
import { ClockTime, TimesInside } from '../../components/time.tsx'
import { useNewestInSight } from '../../components/use-newest-in-sight.ts'
import { Composer } from './composer.tsx'
import type { Place } from './place.ts'

type Conversation = Schemas['ConsoleSandboxConversation']
type Message = Conversation['messages'][number]

type PhoneProps = { at: Place; conversation: Loading<Conversation>; name: string }

/** The customer's phone: what the business sent stands left, what the customer says right. */
export function Phone({ at, conversation, name }: PhoneProps) {
  const { data } = conversation
  const business = data?.business ?? 'Business'
  const [written, setWritten] = useState(0)
  const onWrite = () => setWritten((count) => count + 1)
  return (
    <section className="phone" aria-label={`Phone of ${name}`}>
      <div className="phone-head">
        <span className="avatar" aria-hidden="true">
          {business.slice(0, 1).toUpperCase()}
        </span>
        <div>
          <h2>{business}</h2>
          <p className="muted small">
            on the phone of <bdi>{name}</bdi>
          </p>
        </div>
      </div>
      {data && <StaleNotice query={conversation} />}
      {data ? (
        <Screen {...{ at, written, onWrite }} messages={data.messages} />
      ) : (
        <NoScreen conversation={conversation} />
      )}
      <Composer {...{ at, onWrite }} />
    </section>
  )
}

/** A conversation that is not there yet is not an empty one. */
function NoScreen({ conversation }: { conversation: Loading<Conversation> }) {
  return (
    <div className="phone-screen">
      {conversation.isError ? (
        <ErrorState failure={toFailure(conversation.error)} onRetry={() => void conversation.refetch()} />
      ) : (
        <Skeleton rows={3} />
      )}
    </div>
  )
}

type ScreenProps = { at: Place; messages: readonly Message[]; written: number; onWrite: () => void }

function Screen({ at, messages, written, onWrite }: ScreenProps) {
  const client = useQueryClient()
  const ids = useMemo(() => messages.map(({ id }) => id), [messages])
  const { screen, unseen, showNewest } = useNewestInSight(ids, written)
  const tapped = useRef<{ tap: Tap; messageId: string } | null>(null)
  const form = useSubmit(async () => {
    if (!tapped.current) return
    const { tap, messageId } = tapped.current
    const act = { ...tap, message_id: messageId }
    await call(
      api.POST('/console/api/sandbox/inbound', {
        body: { number_id: at.numberId, customer: at.customer, act },
      }),
    )
    onWrite()
    await client.invalidateQueries({ queryKey: ['sandbox'] })
  })
  const onTap = (messageId: string) => (tap: Tap) => {
    tapped.current = { tap, messageId }
    void form.submit()
  }
  return (
    <div className="thread-middle">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={screen} className="phone-screen thread-screen" role="log" aria-label="Conversation" tabIndex={0}>
        {messages.length === 0 && (
          <p className="phone-quiet">No messages yet. Write first: it opens the 24-hour window.</p>
        )}
        <TimesInside>
          {messages.map((message) => (
            <PhoneBubble key={message.id} message={message} onTap={onTap(message.id)} />
          ))}
        </TimesInside>
        <FailureNotice failure={form.failure} />
      </div>
      {unseen > 0 && <NewMessages count={unseen} onShow={showNewest} />}
    </div>
  )
}

/** A phone never shows what did not reach it; the tester needs to know, so it is shown as not arrived. */
function PhoneBubble({ message, onTap }: { message: Message; onTap: (tap: Tap) => void }) {
  const { direction, type, content, status, code, at } = message
  const time = <ClockTime at={at} />
  if (direction === 'inbound') {
    return <Bubble type={type} content={content ?? {}} side="customer" meta={time} />
  }
  const arrived = status === 'delivered' || status === 'read'
  return (
    <Bubble
      type={type}
      content={content ?? {}}
      side="business"
      onTap={arrived ? onTap : undefined}
      meta={
        <>
          {time}
          <span className="direction">
            <Icon
              name={status === 'failed' ? 'close' : status === 'queued' ? 'clock' : arrived ? 'checks' : 'check'}
              size={13}
            />
            {status === 'failed' ? `not delivered: ${code ?? 'failed'}` : status}
          </span>
        </>
      }
    />
  )
}
