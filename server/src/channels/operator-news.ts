import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import { compactPhone } from '../lib/phone.ts'
import type { AccountItem } from '../platform/callback-item.ts'
import type { TokenFacts } from '../platform/chat-platform.ts'
import type { Runtime } from '../runtime.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import type { NumberHealth } from './check/check-number.ts'
import { type ToldState, tellStates } from './tell-state.ts'

type Channel = { id: string; accountId: string; wabaId: string }

/** What a number may send, as Meta sees it. The first look at a number is no news. */
export async function tellNumber(rt: Runtime, accountId: string, id: string, health: NumberHealth): Promise<void> {
  const of = (
    topic: ToldState['topic'],
    field: string,
    type: `number.${'quality' | 'limit' | 'name' | 'throughput'}_changed`,
    value: string | number | null,
  ): ToldState => ({
    subject: id,
    topic,
    value: JSON.stringify(value),
    event: (previous) =>
      previous === null
        ? null
        : {
            type,
            data: { phone_number: health.phone_number, number_id: id, [field]: value, previous: JSON.parse(previous) },
          },
  })
  await tellStates(rt, accountId, [
    of('quality', 'quality', 'number.quality_changed', health.quality),
    of('limit', 'messaging_limit', 'number.limit_changed', health.messaging_limit),
    of('name', 'display_name', 'number.name_changed', health.display_name),
    of('throughput', 'sends_per_second', 'number.throughput_changed', health.sends_per_second),
  ])
}

/** The name by which customers find a number. The platform names the number as it is written, without its id. */
export async function tellUsername(
  rt: Runtime,
  { id, accountId }: Channel,
  { event, detail }: AccountItem,
): Promise<void> {
  const phone = compactPhone(`+${textIn(detail, 'display_phone_number') ?? ''}`).replace('++', '+')
  const numbers = await rt.store.read(connectedNumbers, { account_id: accountId })
  const number = numbers.find((one) => one.channel_id === id && one.phone_number === phone)
  if (!number || event === null) return
  const username = textIn(detail, 'username')
  const revoked = textIn(detail, 'context') === 'revoked'
  const data = { phone_number: phone, number_id: number.id, username, state: event, revoked }
  await tellStates(rt, accountId, [
    {
      subject: number.id,
      topic: 'username',
      value: JSON.stringify({ username, state: event, revoked }),
      event: (previous) => {
        const before = previous === null ? null : (JSON.parse(previous) as { username: string | null }).username
        return { type: 'number.username_changed', data: { ...data, previous: before } }
      },
    },
  ])
}

/** A token that ends takes its channel with it: told two weeks before. */
const noticeMs = 14 * dayMs

/** Null: Meta said nothing about the token. */
export async function tellToken(
  rt: Runtime,
  { id, accountId, wabaId }: Channel,
  token: Pick<TokenFacts, 'valid' | 'expiresAt'> | null,
): Promise<void> {
  if (!token) return
  const data = { channel_id: id, waba_id: wabaId }
  const ends = token.expiresAt
  const isEnding = token.valid && ends !== null && ends < rt.clock.now() + noticeMs
  const value = token.valid ? (isEnding ? `expiring ${ends}` : 'ok') : 'lost'
  await tellStates(rt, accountId, [
    {
      subject: id,
      topic: 'token',
      value,
      event: (previous) => {
        if (value === 'lost') return { type: 'channel.token_lost', data }
        if (isEnding && previous !== 'lost') {
          return { type: 'channel.token_expiring', data: { ...data, expires_at: formatInstant(ends) } }
        }
        return previous === 'lost' ? { type: 'channel.reconnected', data: { ...data, cause: 'token' } } : null
      },
    },
  ])
}

/** Bans, restrictions, violations, and the end of a connection, as Meta reports them. */
export async function tellAccount(rt: Runtime, channel: Channel, item: AccountItem): Promise<void> {
  const { id, accountId, wabaId } = channel
  const news = newsOf(item)
  if (!news) return
  const { topic, type, details } = news
  const isOver = type === 'account.restored' || type === 'channel.reconnected'
  const value = isOver ? 'ok' : `${type} ${details.reason} ${item.at}`
  const event: ToldState['event'] = (previous) =>
    isOver && previous === null ? null : { type, data: { channel_id: id, waba_id: wabaId, ...details } }
  await tellStates(rt, accountId, [{ subject: id, topic, value, event }])
}

type News = {
  topic: 'standing' | 'connection'
  type: 'account.restricted' | 'account.warned' | 'account.restored' | 'channel.disconnected' | 'channel.reconnected'
  details: { reason: string | null } & Record<string, unknown>
}

function newsOf({ field, event, detail }: AccountItem): News | null {
  if (field !== 'account_update' && field !== 'account_review_update' && field !== 'account_alerts') return null
  const standing = (type: News['type'], reason: string | null): News => ({
    topic: 'standing',
    type,
    details: { phone_number: phoneIn(detail), reason, restrictions: restrictionsIn(detail) },
  })
  const violation = wordIn(detail, 'violation_info', 'violation_type')
  const ban = wordIn(detail, 'ban_info', 'waba_ban_state')
  switch (event) {
    case 'ACCOUNT_RESTRICTION':
      return standing(isRecovery(violation) ? 'account.restored' : 'account.restricted', violation)
    case 'ACCOUNT_VIOLATION':
      return standing('account.warned', violation)
    case 'DISABLED_UPDATE':
      if (ban === 'REINSTATE') return standing('account.restored', ban)
      return standing(ban === 'SCHEDULE_FOR_DISABLE' ? 'account.warned' : 'account.restricted', ban)
    case 'ACCOUNT_DELETED':
      return standing('account.restricted', 'ACCOUNT_DELETED')
    case 'PARTNER_REMOVED':
    case 'ACCOUNT_OFFBOARDED': {
      const by = wordIn(detail, 'disconnection_info', 'initiated_by')
      const reason = wordIn(detail, 'disconnection_info', 'reason') ?? event
      return { topic: 'connection', type: 'channel.disconnected', details: { reason, initiated_by: by } }
    }
    case 'ACCOUNT_RECONNECTED':
    case 'PARTNER_ADDED':
      return { topic: 'connection', type: 'channel.reconnected', details: { reason: event, cause: 'meta' } }
    case 'REJECTED':
      return field === 'account_review_update' ? standing('account.restricted', 'REVIEW_REJECTED') : null
    case 'APPROVED':
      return field === 'account_review_update' ? standing('account.restored', 'REVIEW_APPROVED') : null
    default:
      return field === 'account_alerts' ? standing('account.warned', event) : null
  }
}

function isRecovery(violation: string | null): boolean {
  return violation !== null && /_(UNBAN|RECOVERY)$/.test(violation)
}

type Detail = AccountItem['detail']

/** Since October 2026 a report that is about one number names it, as its digits. */
function phoneIn(detail: Detail): string | null {
  const given = textIn(detail, 'phone_number')
  return given === null ? null : compactPhone(`+${given.replace(/^\+/, '')}`)
}

function textIn(detail: Detail, name: string): string | null {
  const value = detail?.[name]
  return typeof value === 'string' ? value : null
}

function wordIn(detail: Detail, part: string, name: string): string | null {
  const value = detail?.[part]
  const inner = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : null
  const first: unknown = Array.isArray(inner) ? inner[0] : inner
  return typeof first === 'string' ? first : null
}

function restrictionsIn(detail: Detail): { type: string; expires_at: string | null }[] {
  const list = detail?.restriction_info
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown) => {
    const { restriction_type: type, expiration } = (one ?? {}) as Record<string, unknown>
    const seconds = Number(expiration)
    const isTime = expiration !== undefined && Number.isFinite(seconds) && seconds > 0
    return typeof type === 'string' ? [{ type, expires_at: isTime ? formatInstant(seconds * 1_000) : null }] : []
  })
}
