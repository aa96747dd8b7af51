import { Link } from 'wouter'
import type { Schemas } from '../../api.ts'
import { Chip } from '../../components/chip.tsx'
import { limitInWords } from '../../components/messaging-limit.ts'
import { formatNumber, Meter } from '../../components/meter.tsx'
import { RelativeTime } from '../../components/time.tsx'
import { useLimits } from '../../session.ts'

type Channel = Schemas['ConsoleHome']['channel']

/** The channel and the plan, in one line: is there anything in the way? */
export function HealthLine({ channel }: { channel: Channel }) {
  const { data: limits } = useLimits()
  const day = limits?.day
  if (!channel && !day) return null
  return (
    <section className="card card-body health" aria-label="Channel and quota">
      {channel && (
        <Link to="/channel" className="row">
          <Chip tone={channel.healthy ? 'ok' : 'error'} icon={channel.healthy ? 'check' : 'alert'}>
            {channel.healthy ? 'Channel healthy' : 'Channel needs you'}
          </Chip>
          <span className="mono">{channel.phone_number}</span>
        </Link>
      )}
      {channel?.quality && <span>Quality {channel.quality}</span>}
      {channel?.messaging_limit && <span>Limit {limitInWords(channel.messaging_limit)}</span>}
      {channel?.last_event_at && (
        <span className="muted">
          heard from <RelativeTime at={channel.last_event_at} />
        </span>
      )}
      {day && (
        <Link to="/settings/plan" className="health-quota">
          Quota {formatNumber(day.used)} of {formatNumber(day.quota)} today
          <Meter label="Quota used today" used={day.used} quota={day.quota} thin />
        </Link>
      )}
    </section>
  )
}
