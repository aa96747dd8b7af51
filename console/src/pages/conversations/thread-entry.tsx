import { useQueryClient } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/form/button.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Bubble } from '../../components/message/bubble.tsx'
import { Menu } from '../../components/overlay/menu.tsx'
import { toast } from '../../components/overlay/toast.tsx'
import { ClockTime, TimesInside } from '../../components/time.tsx'
import { Words } from '../../components/words.tsx'
import { react } from '../../send-message.ts'
import type { ThreadMessage } from './conversations-query.ts'
import { plainSentence } from './plain-sentences.ts'
import type { Reaction } from './thread-messages.ts'

const icons: Record<string, IconName> = {
  waiting: 'clock',
  queued: 'clock',
  canceled: 'ban',
  sent: 'check',
  delivered: 'checks',
  read: 'checks',
  failed: 'close',
}

/** What did not go through the gateway, or was not its to reply to. */
const origins: Record<string, string> = {
  standby: 'handled by another responder',
  other_responder: 'by another responder',
  business_app: 'from the WhatsApp Business app',
  history: 'from before',
}

/** Whom a reaction goes to, and from which number. */
export type Place = { to: string; from?: string }

type EntryProps = {
  message: ThreadMessage
  reactions: readonly Reaction[]
  ours: string | null
  place: Place
  day: string | null
  isMarked: boolean
  onQuote: ((message: ThreadMessage) => void) | null
  onQuoted: (id: string) => void
}

/** A message with when, by whom and how far it came; below it why, if it did not. `ours` is the number that answers. */
export const ThreadEntry = memo(function ThreadEntry(props: EntryProps) {
  const { message, reactions, ours, place, day, isMarked, onQuote, onQuoted } = props
  const { id, direction, type, content, status, failure, at, number, quoted } = message
  const isOurs = direction === 'outbound'
  return (
    <>
      {day && <p className="thread-day">{day}</p>}
      <div
        className="thread-entry"
        data-side={isOurs ? 'customer' : 'business'}
        data-message={id}
        data-marked={isMarked}
      >
        <div className="thread-line">
          <Bubble
            type={type}
            content={content ?? {}}
            quoted={quoted && <Quoted quoted={quoted} onQuoted={onQuoted} />}
            // Here the reader is the business: their own words stand at the right, as on any phone.
            side={isOurs ? 'customer' : 'business'}
            meta={
              <TimesInside>
                {content === null && <span className="muted">No longer kept</span>}
                {senderOf(message) && <span dir="auto">{senderOf(message)}</span>}
                {message.in_group && <span>in a group</span>}
                {message.origin !== null && <span>{origins[message.origin] ?? message.origin}</span>}
                {number !== null && ours !== null && number !== ours && <span>via {number}</span>}
                <Link to={`/messages/${encodeURIComponent(id)}`}>
                  <span className="visually-hidden">Details, </span>
                  <ClockTime at={at} />
                </Link>
                {isOurs && (
                  <span className="direction">
                    <Icon name={icons[status] ?? 'clock'} size={13} />
                    {stateOf(message)}
                  </span>
                )}
              </TimesInside>
            }
          />
          {onQuote && isRepliable(message) && <EntryActs {...{ message, place, onQuote }} />}
        </div>
        {reactions.length > 0 && (
          <p className="thread-reactions">
            {reactions.map(({ emoji, isOurs: isOwn, by }) => (
              <span key={String(isOwn)} title={isOwn ? (by ?? 'You') : 'The customer'}>
                <span className="visually-hidden">{isOwn ? 'You reacted ' : 'The customer reacted '}</span>
                {emoji}
              </span>
            ))}
          </p>
        )}
        {failure && (
          <p className="thread-failure small" role="note">
            <Icon name="alert" size={15} />
            <span>
              <Words text={plainSentence(failure.code) ?? failure.what} />{' '}
              {hasOnlyMetasWords(failure) && <>Meta says: {failure.why?.replace(/\.?$/, '.')} </>}
              <Link to={`/messages/${encodeURIComponent(id)}`}>Details</Link>
            </span>
          </p>
        )}
      </div>
    </>
  )
})

function stateOf({ status, unresolved, send_at: sendAt }: ThreadMessage): React.ReactNode {
  if (unresolved) return 'not confirmed'
  if (sendAt !== null)
    return (
      <>
        planned for <ClockTime at={sendAt} day />
      </>
    )
  return status === 'failed' ? 'not delivered' : status
}

/** What the message replies to; pressed, it is brought into sight. */
function Quoted({
  quoted,
  onQuoted,
}: {
  quoted: NonNullable<ThreadMessage['quoted']>
  onQuoted: (id: string) => void
}) {
  return (
    <button type="button" className="bubble-quote" onClick={() => onQuoted(quoted.id)}>
      <span className="bubble-quote-who">{quoted.direction === 'outbound' ? 'You' : 'Customer'}</span>
      <span className="bubble-quote-text" dir="auto">
        {quoted.preview ?? quoted.type}
      </span>
    </button>
  )
}

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

/** Reply to this message, or react to it. */
function EntryActs({
  message,
  place,
  onQuote,
}: Pick<EntryProps, 'message' | 'place'> & { onQuote: (message: ThreadMessage) => void }) {
  const client = useQueryClient()
  async function send(emoji: string): Promise<void> {
    try {
      await react({ ...place, message_id: message.id, emoji })
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The reaction was not sent')
    }
    await client.invalidateQueries({ queryKey: ['conversations'] })
  }
  return (
    <span className="entry-acts">
      <Button kind="quiet" icon="reply" label="Reply to this message" onClick={() => onQuote(message)} />
      <Menu
        label="React"
        trigger={<Icon name="smile" size={16} />}
        items={[
          ...emojis.map((emoji) => ({ label: emoji, onSelect: () => void send(emoji) })),
          { label: 'Remove', icon: 'close' as const, onSelect: () => void send('') },
        ]}
      />
    </span>
  )
}

/** What WhatsApp knows, and what is no reaction itself. */
function isRepliable({ type, status, id }: ThreadMessage): boolean {
  return type !== 'reaction' && !['failed', 'queued', 'waiting', 'canceled'].includes(status) && id.startsWith('wamid.')
}

/** Where the code does not say why. */
function hasOnlyMetasWords({ code, why }: NonNullable<ThreadMessage['failure']>): boolean {
  return why !== null && (code === 'channel_rejected' || plainSentence(code) === null)
}

function senderOf({ sent_by: person, key_name: key }: ThreadMessage): string | null {
  return person ?? key
}
