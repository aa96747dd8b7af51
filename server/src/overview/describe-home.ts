import type { Member } from '../access/console-member.ts'
import { getAnalytics } from '../analytics/get-analytics.ts'
import { rate } from '../analytics/rates.ts'
import type { ChannelRecord } from '../channels/channel-record.ts'
import { listChannels } from '../channels/list-channels.ts'
import { mayDo } from '../contract/console/roles.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { countNotSent } from '../store/messages/console-messages.ts'
import { needsAttention } from './needs-attention.ts'

// More are not counted: what is wrong is plain by then.
const refusalsMax = 1_000

/** Is it working? The last 24 hours in five figures, what needs attention, and how the channel is. */
export async function describeHome(rt: Runtime, member: Member) {
  const { accountId, role } = member
  const since = rt.clock.now() - dayMs
  const [analytics, channels, refusals] = await Promise.all([
    getAnalytics(rt, accountId, { from: formatInstant(since), granularity: 'hour' }),
    listChannels(rt, accountId),
    rt.store.read(countNotSent, { account_id: accountId, since, count: refusalsMax }),
  ])
  const { created, sent, delivered, read, failed, received, read_rate } = analytics.totals
  return {
    figures: {
      created,
      sent,
      delivered,
      read,
      failed,
      received,
      not_sent: refusals.reduce((sum, { count }) => sum + count, 0),
      // Of all that were asked for: what Meta refused at once was never sent, and was not delivered either.
      delivery_rate: rate(delivered, created),
      read_rate,
      hours: (analytics.series[0]?.points ?? []).map((point) => ({
        start: point.start,
        created: point.created,
        sent: point.sent,
        delivered: point.delivered,
        read: point.read,
        failed: point.failed,
        received: point.received,
      })),
    },
    attention: await needsAttention(rt, member, {
      channels: mayDo(role, 'channel:read') ? channels : [],
      failures: analytics.failures,
      refusals,
    }),
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
