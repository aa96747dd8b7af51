import { Link } from 'wouter'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Bubble } from '../../components/message/bubble.tsx'
import { ClockTime, TimesInside } from '../../components/time.tsx'
import { Words } from '../../components/words.tsx'
import type { ThreadMessage } from './conversations-query.ts'
import { plainSentence } from './plain-sentences.ts'

const icons: Record<string, IconName> = {
  queued: 'clock',
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

/** A message with when, by whom and how far it came; below it why, if it did not. `ours` is the number that answers. */
export function ThreadEntry({ message, ours }: { message: ThreadMessage; ours: string | null }) {
  const { id, direction, type, content, status, failure, at, number } = message
  const isOurs = direction === 'outbound'
  return (
    <div className="thread-entry" data-side={isOurs ? 'customer' : 'business'}>
      <Bubble
        type={type}
        content={content ?? {}}
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
              <ClockTime at={at} day={!isToday(at)} />
            </Link>
            {isOurs && (
              <span className="direction">
                <Icon name={icons[status] ?? 'clock'} size={13} />
                {message.unresolved ? 'not confirmed' : status === 'failed' ? 'not delivered' : status}
              </span>
            )}
          </TimesInside>
        }
      />
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
  )
}

/** Where the code does not say why. */
function hasOnlyMetasWords({ code, why }: NonNullable<ThreadMessage['failure']>): boolean {
  return why !== null && (code === 'channel_rejected' || plainSentence(code) === null)
}

function senderOf({ sent_by: person, key_name: key }: ThreadMessage): string | null {
  return person ?? key
}

function isToday(at: string): boolean {
  return new Date(at).toDateString() === new Date().toDateString()
}
