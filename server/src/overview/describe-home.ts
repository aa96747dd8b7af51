import type { Member } from '../access/console-member.ts'
import { getAnalytics } from '../analytics/get-analytics.ts'
import type { ChannelRecord } from '../channels/channel-record.ts'
import { listChannels } from '../channels/list-channels.ts'
import { mayDo } from '../contract/console/roles.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { needsAttention } from './needs-attention.ts'

/** Is it working? The last 24 hours in five figures, what needs attention, and how the channel is. */
export async function describeHome(rt: Runtime, member: Member) {
  const { accountId, role } = member
  const from = formatInstant(rt.clock.now() - dayMs)
  const analytics = await getAnalytics(rt, accountId, { from, granularity: 'hour' })
  const channels = await listChannels(rt, accountId)
  const { sent, delivered, read, failed, received, delivery_rate, read_rate } = analytics.totals
  return {
    figures: {
      sent,
      delivered,
      read,
      failed,
      received,
      delivery_rate,
      read_rate,
      hours: (analytics.series[0]?.points ?? []).map((point) => ({
        start: point.start,
        sent: point.sent,
        delivered: point.delivered,
        read: point.read,
        failed: point.failed,
        received: point.received,
      })),
    },
    attention: await needsAttention(rt, member, mayDo(role, 'channel:read') ? channels : [], analytics.failures),
    channel: mayDo(role, 'channel:read') ? describeChannel(channels) : null,
  }
}

function describeChannel(channels: readonly ChannelRecord[]) {
  const number = channels.flatMap(({ numbers }) => numbers).find((one) => one.default)
  const channel = channels.find(({ id }) => id === number?.channel_id)
  if (!number || !channel) return null
  const broken = channel.status !== 'connected' || channel.steps.some(({ status }) => status === 'failed')
  return {
    phone_number: number.phone_number,
    name: number.display_name,
    sandbox: channel.kind === 'sandbox',
    healthy: !broken && number.status === 'CONNECTED',
    quality: number.quality,
    messaging_limit: number.messaging_limit,
    last_event_at: channel.last_event_at,
  }
}
