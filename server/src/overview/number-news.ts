import type { Static } from 'typebox'
import type { ChannelRecord } from '../channels/channel-record.ts'
import type { Attention } from '../contract/console/home.ts'
import { formatInstant } from '../lib/instant.ts'

type Item = Omit<Static<typeof Attention>, 'next_attempt_at'>
type Told = { subject: string; topic: string; value: string; previous: string | null; at: number }

/** Recent changes of a number, from its events. Low quality stays an item for as long as it lasts. */
export function numberNews(channels: readonly ChannelRecord[], told: Told): Item[] {
  const number = channels.flatMap(({ numbers }) => numbers).find(({ id }) => id === told.subject)
  const change = number && changes[told.topic]?.(number.phone_number, told)
  if (!change) return []
  const { subject, topic, at } = told
  return [
    { id: `news-${subject}-${topic}`, detail: null, since: formatInstant(at), to: `/number/${subject}`, ...change },
  ]
}

type Change = Pick<Item, 'tone' | 'text'> & Partial<Pick<Item, 'detail'>>

const changes: Record<string, (phone: string, told: Told) => Change | null> = {
  quality: (phone, told) => {
    const [now, before] = [textIn(told.value), textIn(told.previous)]
    if (now === null || now === 'low') return null
    const tone = rankOf(now) < rankOf(before) ? 'warn' : 'info'
    return { tone, text: `Meta rates the quality of ${phone} ${now}${was(before)}.` }
  },
  limit: (phone, told) => {
    const [now, before] = [textIn(told.value), textIn(told.previous)]
    if (now === null) return null
    const text = `${phone} may start conversations with ${limitInWords(now)}${was(before && limitInWords(before))}.`
    return { tone: limitOf(now) < limitOf(before) ? 'warn' : 'info', text }
  },
  name: (phone, told) => {
    const [now, before] = [textIn(told.value), textIn(told.previous)]
    return now === null ? null : { tone: 'info', text: `The display name of ${phone} is ${now}${was(before)}.` }
  },
  throughput: (phone, told) => {
    const [now, before] = [Number(parse(told.value)), Number(parse(told.previous))]
    const tone = now < before ? 'warn' : 'info'
    return now > 0
      ? { tone, text: `${phone} may send ${now.toLocaleString('en')} messages a second${was(String(before || ''))}.` }
      : null
  },
  username: (phone, told) => usernameNews(phone, parse(told.value) as Username),
}

type Username = { username: string | null; state: string; revoked: boolean }

function usernameNews(phone: string, { username, state, revoked }: Username): Change {
  if (state === 'approved') return { tone: 'info', text: `Customers find ${phone} by the username ${username ?? ''}.` }
  if (state === 'deleted') {
    const detail = revoked ? 'Meta took it back.' : null
    return { tone: revoked ? 'warn' : 'info', text: `${phone} has no username any more.`, detail }
  }
  const detail = 'Customers cannot find the number by it yet.'
  return { tone: 'info', text: `The username ${username ?? ''} is ${state} for ${phone}.`, detail }
}

function was(before: string | null): string {
  return before ? ` (was ${before})` : ''
}

const qualities = ['low', 'medium', 'high']

function rankOf(quality: string | null): number {
  return qualities.indexOf(quality ?? '')
}

/** TIER_2K, TIER_UNLIMITED; a name that is not known stays as it is. */
function limitInWords(limit: string): string {
  const most = limitOf(limit)
  if (Number.isNaN(most)) return limit
  return most === Number.POSITIVE_INFINITY
    ? 'any number of customers a day'
    : `${most.toLocaleString('en')} customers a day`
}

function limitOf(limit: string | null): number {
  if (limit !== null && /^TIER_UNLIMITED$/i.test(limit)) return Number.POSITIVE_INFINITY
  const [, digits, thousand] = /^TIER_(\d+)(K?)$/i.exec(limit ?? '') ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (thousand ? 1_000 : 1)
}

function parse(value: string | null): unknown {
  return value === null ? null : JSON.parse(value)
}

function textIn(value: string | null): string | null {
  const parsed = parse(value)
  return typeof parsed === 'string' ? parsed : null
}
