import type { Static } from 'typebox'
import type { Member } from '../access/console-member.ts'
import type { ChannelRecord } from '../channels/channel-record.ts'
import type { Attention } from '../contract/console/home.ts'
import { mayDo } from '../contract/console/roles.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { templateStates } from '../store/accounts/accounts.ts'
import { listToldStates } from '../store/channels/told-states.ts'
import { describeWebhooks } from '../webhooks/console-webhooks.ts'
import { numberNews } from './number-news.ts'
import { stoppedBroadcasts, waitingSends } from './sends-that-wait.ts'

type Shown = Static<typeof Attention>
/** Items of one kind have their state in common. */
type Item = Omit<Shown, 'next_attempt_at'> & Partial<Pick<Shown, 'next_attempt_at'>> & { state?: string }

type Counted = { code: string; count: number }
type Causes = {
  channels: readonly ChannelRecord[]
  failures: readonly Counted[]
  refusals: readonly Counted[]
  /** The newest so many were counted, and there are more; null where all were. */
  refusalsEnd?: number | null
}

/** The items that need attention, worst first. Nothing is stored: an item disappears with its cause. */
export async function needsAttention(
  rt: Runtime,
  member: Member,
  { channels, failures, refusals, refusalsEnd = null }: Causes,
): Promise<Shown[]> {
  const items = [
    ...channelItems(channels, rt.clock.now()),
    ...(await newsItems(rt, member.accountId, channels)),
    ...(mayDo(member.role, 'broadcasts:read') ? await stoppedBroadcasts(rt, member.accountId) : []),
    ...(await waitingSends(rt, member.accountId)),
    ...failures.map(failureItem),
    ...gathered(
      refusals.map((refusal) => refusalItem(refusal, refusalsEnd)),
      (reasons) => refusalGroup(reasons, refusals, refusalsEnd),
    ),
    ...(mayDo(member.role, 'webhooks:read') ? gathered(await webhookItems(rt, member), webhookGroup) : []),
    ...(mayDo(member.role, 'templates:read') ? gathered(await templateItems(rt, member), templateGroup) : []),
  ]
  const ranks = { error: 0, warn: 1, info: 2 }
  items.sort((a, b) => ranks[a.tone] - ranks[b.tone])
  return items.map(({ state: _, ...item }) => ({ next_attempt_at: null, ...item }))
}

/** Long enough for a change of Friday evening to be seen on Monday. */
const changeShownMs = 3 * dayMs

/** Meta's open reports about an account, and recent changes of its numbers. */
async function newsItems(rt: Runtime, accountId: string, channels: readonly ChannelRecord[]): Promise<Item[]> {
  const changed_since = rt.clock.now() - changeShownMs
  const states = await rt.store.read(listToldStates, { account_id: accountId, changed_since })
  return states.flatMap((state) => {
    const { subject, topic, value, at } = state
    if (topic !== 'standing' && topic !== 'connection') return numberNews(channels, state)
    const [type = '', reason = ''] = value.split(' ')
    const told = newsTexts[type] ?? { tone: 'warn', text: 'Meta reported news about the WhatsApp Business account.' }
    const detail = reason === '' || reason === 'null' ? null : `Meta's reason: ${reason}.`
    return [{ id: `news-${subject}-${type}`, ...told, detail, since: formatInstant(at), to: '/channel' }]
  })
}

const newsTexts: Record<string, Pick<Item, 'tone' | 'text'>> = {
  'account.restricted': { tone: 'error', text: 'Meta restricts the WhatsApp Business account.' },
  'account.warned': { tone: 'warn', text: 'Meta reported a violation of the WhatsApp Business account.' },
  'channel.disconnected': { tone: 'error', text: 'The WhatsApp Business account is no longer connected at Meta.' },
}

/** As the console writes numbers. */
function written(count: number): string {
  return count.toLocaleString('en')
}

const sameMax = 3

/** Many of one kind are one item that leads to their list: 150 rows tell less than one. */
function gathered(items: readonly Item[], group: (count: number, item: Item) => Pick<Item, 'text' | 'to'>): Item[] {
  const byState = Map.groupBy(items, ({ state }) => state)
  return [...byState].flatMap(([state, same]): Item[] => {
    const [first] = same
    if (!first || same.length <= sameMax) return same
    const oldest = same.flatMap(({ since }) => since ?? []).sort()[0] ?? null
    const all = { ...first, ...group(same.length, first), detail: null, since: oldest, next_attempt_at: null }
    return [{ ...all, id: `${first.id.split('-', 1)[0]}-${state}` }]
  })
}

function webhookGroup(count: number, { state }: Item): Pick<Item, 'text' | 'to'> {
  return { text: `${written(count)} webhooks ${webhookStates[state ?? ''] ?? 'need attention'}.`, to: '/webhooks' }
}

const webhookStates: Record<string, string> = {
  disabled: 'were disabled',
  unverified: 'did not return the challenge',
  waiting: 'have not returned the challenge yet',
  failing: 'are failing',
}

function templateGroup(count: number, { state }: Item): Pick<Item, 'text' | 'to'> {
  return {
    text: `${written(count)} templates are ${templateWords[state ?? ''] ?? state}.`,
    to: `/templates?status=${state}`,
  }
}

/** As the event `channel.token_expiring` says it: by then Meta has refused a new one for two weeks. */
const tokenNoticeMs = 14 * dayMs

function channelItems(channels: readonly ChannelRecord[], now: number): Item[] {
  return channels.flatMap(({ id, status, steps, checked_at, numbers, token_expires_at }): Item[] => {
    const failed = steps.find((step) => step.status === 'failed')
    const low = numbers.find(({ quality }) => quality === 'low')
    const item = { id: `channel-${id}`, since: checked_at, to: '/channel' }
    if (status === 'auth_failed') {
      const text = 'Meta rejects the access token: nothing can be sent.'
      return [{ ...item, tone: 'error', text, detail: failed?.fix ?? 'Connect the channel again with a new token.' }]
    }
    if (status === 'no_callbacks') {
      const text = `Statuses and incoming messages do not arrive: ${failed?.sentence ?? ''}`
      return [{ ...item, tone: 'error', text, detail: failed?.fix ?? null }]
    }
    if (failed) return [{ ...item, tone: 'error', text: failed.sentence, detail: failed.fix }]
    if (token_expires_at !== null && Date.parse(token_expires_at) < now + tokenNoticeMs) {
      const text = `The access token ends on ${token_expires_at.slice(0, 10)}: nothing can be sent after that.`
      return [{ ...item, tone: 'warn', text, detail: 'Connect the channel again to replace it.' }]
    }
    if (low) {
      const detail = 'Customers block or report these messages. Send fewer and better ones.'
      return [{ ...item, tone: 'warn', text: `The quality of ${low.phone_number} is low.`, detail }]
    }
    return []
  })
}

function failureItem({ code, count }: Counted): Item {
  const messages = count === 1 ? '1 message' : `${written(count)} messages`
  const text = `${messages} could not be delivered: ${failureReasons[code] ?? code}`
  const to = `/messages?time=day&code=${encodeURIComponent(code)}`
  return { id: `failure-${code}`, tone: 'error', text, detail: null, since: null, to }
}

/** A caller was told; the people who look at the console were not. */
function refusalItem({ code, count }: Counted, end: number | null): Item {
  const text = `${count === 1 ? '1 send was' : `${written(count)} sends were`} rejected: ${failureReasons[code] ?? code}`
  const to = `/messages?time=day&status=not_sent&code=${encodeURIComponent(code)}`
  const item = { id: `refusal-${code}`, since: null, state: 'refused' }
  const detail = end === null ? null : `Of the newest ${written(end)} rejected sends.`
  return { ...item, tone: 'warn', text, detail, to }
}

function refusalGroup(reasons: number, refusals: readonly Counted[], end: number | null): Pick<Item, 'text' | 'to'> {
  const sends = refusals.reduce((sum, { count }) => sum + count, 0)
  const more = end === null ? '' : 'More than '
  const text = `${more}${written(sends)} sends were rejected for ${reasons} reasons.`
  return { text, to: '/messages?time=day&status=not_sent' }
}

/** A few words each; a code without any stands for itself. */
const failureReasons: Record<string, string> = {
  recipient_unreachable: 'number not reachable',
  recipient_opted_out: 'customer opted out',
  recipient_not_allowed: "number not on the test number's list",
  customer_window_closed: '24-hour window closed',
  message_type_not_supported: 'message type not supported',
  template_not_approved: 'template not approved',
  recipient_marketing_limited: 'limit of marketing messages per customer',
  recipient_in_experiment: 'customer in an experiment of Meta',
  recipient_country_restricted: 'country not allowed by Meta',
  thread_owned_elsewhere: 'conversation handled by another responder',
  template_paused: 'template paused',
  template_disabled: 'template disabled',
  channel_spam_limited: 'number restricted after complaints',
  channel_utility_limited: 'utility messages limited by Meta',
  channel_number_not_registered: 'number not registered',
  channel_account_restricted: 'account restricted by Meta',
  channel_payment_missing: 'payment method missing',
  channel_rate_limited: 'rate limited by Meta',
  channel_rejected: 'rejected by Meta',
  media_link_unreachable: 'media link not reachable',
  validation_failed: 'a field is missing or wrong',
  template_not_found: 'unknown template',
  template_parameter_mismatch: 'values do not fit the template',
  channel_not_connected: 'no number connected',
  rate_limit_exceeded: 'limit of the plan reached',
  upstream_unavailable: 'Meta not reachable',
}

async function webhookItems(rt: Runtime, member: Member): Promise<Item[]> {
  const { webhooks } = await describeWebhooks(rt, member)
  return webhooks.flatMap(({ webhook, pending, next_attempt_at, failing_since }): Item[] => {
    const { id, url, verification, disabled_at, disabled_reason, active } = webhook
    const item = { id: `webhook-${id}`, to: `/webhooks/${id}` }
    if (disabled_at !== null) {
      const text = `Webhook ${url} was disabled: ${disabled_reason === 'gone' ? 'it returned 410' : 'it kept failing'}.`
      const detail = 'Fix it, enable it, then replay.'
      return [{ ...item, tone: 'error', text, detail, since: disabled_at, state: 'disabled' }]
    }
    if (!active) return []
    if (verification.status !== 'verified') {
      const tone = verification.status === 'failed' ? 'error' : 'info'
      const text = `Webhook ${url} has not returned the challenge${verification.status === 'failed' ? '' : ' yet'}.`
      const state = verification.status === 'failed' ? 'unverified' : 'waiting'
      return [{ ...item, tone, text, detail: verification.last_error, since: null, state }]
    }
    if (failing_since === null) return []
    const text = `Webhook ${url} is failing${pending > 0 ? `, ${written(pending)} pending` : ''}.`
    return [{ ...item, tone: 'warn', text, detail: null, since: failing_since, next_attempt_at, state: 'failing' }]
  })
}

const templateTones: Record<string, Item['tone']> = {
  rejected: 'error',
  disabled: 'error',
  paused: 'warn',
  pending: 'info',
}
const templateWords: Record<string, string> = { pending: 'in review' }

async function templateItems(rt: Runtime, { accountId }: Member): Promise<Item[]> {
  const rows = await rt.store.read(templateStates, { account_id: accountId })
  return rows.flatMap(({ id, name, language, status, status_reason, updated_at, submitted_at }): Item[] => {
    const tone = templateTones[status]
    if (!tone) return []
    const reason =
      status_reason === null ? null : (JSON.parse(status_reason) as { message?: string; recommendation?: string })
    const text = `Template ${name} (${language}) is ${templateWords[status] ?? status}.`
    const detail = reason?.recommendation ?? reason?.message ?? null
    const since = formatInstant(status === 'pending' ? (submitted_at ?? updated_at) : updated_at)
    return [{ id: `template-${id}`, tone, text, detail, since, to: `/templates/${id}`, state: status }]
  })
}
