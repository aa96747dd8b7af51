import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { formatNumber } from '../../components/format-number.ts'
import { limitInWords } from '../../components/message/messaging-limit.ts'
import { RelativeTime } from '../../components/time.tsx'
import { useLimits, useMay } from '../../session.ts'
import { sendTrouble, troublePath } from './send-health.ts'

type Home = Schemas['ConsoleHome']

/** The channel, the sends and the plan, in one line: is there anything in the way? */
export function HealthLine({ channel, figures }: Pick<Home, 'channel' | 'figures'>) {
  const { data: limits } = useLimits()
  const day = limits?.day
  const mayOpenChannel = useMay('channel:read')
  const mayOpenPlan = useMay('usage:read')
  const mayReadMessages = useMay('messages:read')
  // A channel that is broken is why sends fail, so it is named first.
  const trouble = channel && !channel.healthy ? null : sendTrouble(figures)
  if (!channel && !day && !trouble) return null
  return (
    <section className="health" aria-label="Channel and quota">
      {!mayOpenChannel && <span className="muted">Plan limits</span>}
      {trouble && (
        <MaybeLink to={troublePath(figures)} isOpen={mayReadMessages} className="row">
          <Chip tone={trouble.tone} icon="alert">
            {trouble.text}
          </Chip>
        </MaybeLink>
      )}
      {channel ? (
        <MaybeLink to="/channel" isOpen={mayOpenChannel} className="row">
          {!trouble && (
            <Chip tone={channel.healthy ? 'ok' : 'error'} icon={channel.healthy ? 'check' : 'alert'}>
              {channel.healthy ? 'Channel healthy' : 'Channel needs attention'}
            </Chip>
          )}
          <span className="mono">{channel.phone_number}</span>
        </MaybeLink>
      ) : (
        mayOpenChannel && <span className="muted">No number is connected yet.</span>
      )}
      {channel?.quality && <Fact name="Quality">{channel.quality}</Fact>}
      {channel?.messaging_limit && <Fact name="Limit">{limitInWords(channel.messaging_limit)}</Fact>}
      {channel?.last_event_at && (
        <Fact name="Last event">
          <RelativeTime at={channel.last_event_at} />
        </Fact>
      )}
      {day && (
        <Fact name="Requests today">
          <MaybeLink to="/settings/plan" isOpen={mayOpenPlan} className="health-quota">
            {formatNumber(day.used)} of {formatNumber(day.quota)}
          </MaybeLink>
        </Fact>
      )}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span>
      <span className="muted">{name}</span> {children}
    </span>
  )
}

type MaybeLinkProps = { to: string; isOpen: boolean; className: string; children: ReactNode }

/** Leads on only those who may go there. */
function MaybeLink({ to, isOpen, className, children }: MaybeLinkProps) {
  return isOpen ? (
    <Link to={to} className={className}>
      {children}
    </Link>
  ) : (
    <span className={className}>{children}</span>
  )
}
