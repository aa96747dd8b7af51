import type { Member } from '../access/console-member.ts'
import { getAnalytics, rate } from '../analytics/get-analytics.ts'
import { type ChannelRecord, listChannels } from '../channels/channel-record.ts'
import { mayDo } from '../contract/console/roles.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { firstMessages, lastTurnedAway, templateStates } from '../store/accounts/accounts.ts'
import { type ApiKeyRow, listApiKeys } from '../store/accounts/api-keys.ts'
import { countNotSent } from '../store/messages/message-list.ts'
import { listWebhooks } from '../store/webhooks/webhooks.ts'
import { needsAttention } from './needs-attention.ts'

// More are not counted, as for a page of a list; what is shown then says so.
const refusalsMax = 20_000

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
      not_sent: countOf(refusals),
      not_sent_max: refusalsMax,
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
      refusalsEnd: countOf(refusals) < refusalsMax ? null : refusalsMax,
    }),
    channel: mayDo(role, 'channel:read') ? describeChannel(channels) : null,
  }
}

function countOf(refusals: readonly { count: number }[]): number {
  return refusals.reduce((sum, { count }) => sum + count, 0)
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

type State = 'todo' | 'waiting' | 'done' | 'problem'
type Refusal = { code: string; at: string; request_id: string }
type Standing = { state: State; text: string | null; refusal?: Refusal }
type TemplateState = { name: string; channel_kind: string; status: string; status_reason: string | null }

/**
 * The four prerequisites, each seen from what is there; nobody ticks anything. What exists in the sandbox only brings no
 * message to a customer, so it fulfils none of them but the key, which is the same for both.
 */
export async function setupProgress(rt: Runtime, { accountId }: Member) {
  const [channels, templates, keys, webhooks, [message]] = await Promise.all([
    listChannels(rt, accountId),
    rt.store.read(templateStates, { account_id: accountId }),
    rt.store.read(listApiKeys, { account_id: accountId }),
    rt.store.read(listWebhooks, { account_id: accountId }),
    rt.store.read(firstMessages, { account_id: accountId }),
  ])
  const own = channels.filter(({ kind }) => kind === 'cloud')
  const hasSandbox = channels.some(({ kind }) => kind === 'sandbox')
  const standings = {
    channel: channelStanding(own, hasSandbox),
    business: businessStanding(own),
    templates: templateStanding(templates),
    key: await keyStanding(
      rt,
      accountId,
      keys.filter(({ kind }) => kind === 'key'),
      message !== undefined,
    ),
    webhook: { state: webhooks.length > 0 ? 'done' : 'todo', text: null } as Standing,
  }
  const steps = stepTexts.map((step) => ({ ...step, refusal: null, ...standings[step.id] }))
  return {
    steps,
    done: steps.filter(({ state, optional }) => state === 'done' && !optional).length,
    sandbox: { connected: hasSandbox, available: rt.config.sandboxListen !== 'off' },
    first_message_sent: message !== undefined,
    live: own.length > 0,
  }
}

const stepTexts = [
  {
    id: 'channel',
    title: 'Connect a WhatsApp Business account',
    why: 'Messages are sent from one of its phone numbers.',
    optional: false,
  },
  {
    id: 'business',
    title: 'Verify the business with Meta',
    why: 'Meta verifies your business before you can write to many people.',
    optional: false,
  },
  {
    id: 'templates',
    title: 'Create templates and have them approved',
    why: 'Only approved templates may start a conversation.',
    optional: false,
  },
  { id: 'key', title: 'Create an API key', why: 'Your services sign in with it.', optional: false },
  {
    id: 'webhook',
    title: 'Receive events',
    why: 'Get notified immediately of read messages and customer replies.',
    optional: true,
  },
] as const

function channelStanding(own: readonly ChannelRecord[], hasSandbox: boolean): Standing {
  const [channel] = own
  const number = channel?.numbers[0]
  if (!channel || !number) {
    return { state: 'todo', text: hasSandbox ? 'Only the sandbox is connected, which reaches no real customer.' : null }
  }
  const failed = channel.steps.find(({ status }) => status === 'failed')
  if (failed) return { state: 'problem', text: `${failed.sentence} ${failed.fix ?? ''}`.trim() }
  const name = [number.phone_number, number.display_name]
  return { state: 'done', text: name.filter((part) => part !== null).join(' · ') }
}

function businessStanding(own: readonly ChannelRecord[]): Standing {
  if (own.length === 0) return { state: 'todo', text: null }
  if (own.some(({ business_verified }) => business_verified)) return { state: 'done', text: 'Verified' }
  return {
    state: 'waiting',
    text: 'Not verified yet. It usually takes 1 to 3 days after you submit; you can continue in the sandbox.',
  }
}

function templateStanding(templates: readonly TemplateState[]): Standing {
  const own = templates.filter(({ channel_kind }) => channel_kind !== 'sandbox')
  if (own.length === 0 && templates.some(({ status }) => status === 'approved')) {
    return { state: 'todo', text: 'Approved in the sandbox only. Meta reviews those of your own account.' }
  }
  const count = (status: string) => own.filter((template) => template.status === status).length
  const rejected = own.find(({ status }) => status === 'rejected')
  if (count('approved') > 0) return { state: 'done', text: `${count('approved')} approved` }
  if (rejected) {
    const reason = rejected.status_reason === null ? null : (JSON.parse(rejected.status_reason) as { message?: string })
    return { state: 'problem', text: `${rejected.name} was rejected. ${reason?.message ?? ''}`.trim() }
  }
  if (count('pending') > 0) return { state: 'waiting', text: `${count('pending')} of ${own.length} in review` }
  return { state: 'todo', text: own.length > 0 ? `${own.length} not submitted` : null }
}

async function keyStanding(
  rt: Runtime,
  accountId: string,
  keys: readonly ApiKeyRow[],
  hasSent: boolean,
): Promise<Standing> {
  const active = keys.filter(({ status }) => status === 'active')
  if (active.length === 0) return { state: 'todo', text: null }
  if (active.some(({ last_used_at }) => last_used_at !== null))
    return { state: 'done', text: hasSent ? 'In use' : 'Token fetched; no message sent yet' }
  const [call] = await rt.store.read(lastTurnedAway, { account_id: accountId })
  if (!call) return { state: 'waiting', text: 'Key created, not used yet' }
  const refusal = { code: call.code, at: formatInstant(call.at), request_id: call.id }
  return { state: 'problem', text: causes[call.code] ?? 'A call was rejected', refusal }
}

/** Why a key that exists lets nobody in, in front of "5 minutes ago". */
const causes: Record<string, string> = {
  invalid_credentials: 'A call had a wrong secret',
  api_key_inactive: 'A call used a key that was revoked or has expired',
  ip_not_allowed: 'A call came from an address that the key does not allow',
  account_suspended: 'A call was rejected because the account is suspended',
  insufficient_scope: 'A call needed a scope that the key does not have',
}
