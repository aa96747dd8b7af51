import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { limitInWords } from '../../components/messaging-limit.ts'
import { formatNumber, Meter } from '../../components/meter.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useLimits, useMay } from '../../session.ts'

type Channel = Schemas['ConsoleHome']['channel']

/** The channel and the plan, in one line: is there anything in the way? */
export function HealthLine({ channel }: { channel: Channel }) {
  const { data: limits } = useLimits()
  const day = limits?.day
  const mayOpenChannel = useMay('channel:read')
  const mayOpenPlan = useMay('usage:read')
  if (!channel && !day) return null
  return (
    <section className="card card-body health" aria-label="Channel and quota">
      <div className="health-facts">
        {channel && (
          <Door to="/channel" isOpen={mayOpenChannel} className="row">
            <Chip tone={channel.healthy ? 'ok' : 'error'} icon={channel.healthy ? 'check' : 'alert'}>
              {channel.healthy ? 'Channel healthy' : 'Channel needs you'}
            </Chip>
            <span className="mono">{channel.phone_number}</span>
          </Door>
        )}
        {channel?.quality && <span>Quality {channel.quality}</span>}
        {channel?.messaging_limit && <span>Limit {limitInWords(channel.messaging_limit)}</span>}
        {channel?.last_event_at && (
          <span className="muted">
            heard from <RelativeTime at={channel.last_event_at} />
          </span>
        )}
      </div>
      {day && (
        <Door to="/settings/plan" isOpen={mayOpenPlan} className="health-quota">
          Quota {formatNumber(day.used)} of {formatNumber(day.quota)} today
          <Meter label="Quota used today" used={day.used} quota={day.quota} thin />
        </Door>
      )}
    </section>
  )
}

type DoorProps = { to: string; isOpen: boolean; className: string; children: ReactNode }

/** Leads on only those who may go there. */
function Door({ to, isOpen, className, children }: DoorProps) {
  return isOpen ? (
    <Link to={to} className={className}>
      {children}
    </Link>
  ) : (
    <span className={className}>{children}</span>
  )
}
