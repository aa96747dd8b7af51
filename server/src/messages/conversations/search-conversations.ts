import type { Member } from '../../access/console-member.ts'
import { formatInstant } from '../../lib/instant.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { openCursor, type PageRequest } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { contactsOf, findConversations, findMessagesWith, lastLookedAt } from '../../store/messages/conversations.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { wordsOf } from '../content/inbound-content.ts'
import { customerOf } from '../message-record.ts'
import { describeLines, type Line, withLastMessages } from './conversation-line.ts'
import { requireCustomersShown } from './require-customers-shown.ts'

/** Customers and messages one search reads at most; the next page of it goes on where this one ended. */
const customersLookedAt = 10_000
const messagesLookedAt = 10_000
const messagesFoundMax = 100
const digitsMin = 3

type SearchPosition = { at: number; id: string }

/** By a part of a name, of a number, or of what was written. Older messages are looked through page by page. */
export async function searchConversations(rt: Runtime, member: Member, search: string, page: PageRequest) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const { limit, cursor } = page
  const boundTo = ['conversation-search', accountId, { search }]
  const [at, id] = openCursor(rt, cursor, boundTo) ?? [Number.MAX_SAFE_INTEGER, '']
  const [people, texts] = await Promise.all([
    cursor === null ? findPeople(rt, accountId, search, limit) : [],
    findTexts(rt, accountId, search, { at: Number(at), id: String(id) }),
  ])
  const known = new Set(people.map(({ address }) => address))
  const lines = [...people, ...texts.lines.filter(({ address }) => !known.has(address))]
  const { end } = texts
  return {
    conversations: await describeLines(rt, accountId, lines),
    address: addressIn(search),
    searched_back_to: end && formatInstant(end.at),
    pagination: {
      limit,
      has_more: end !== null,
      next_cursor: end ? rt.cursors.seal([end.at, end.id], boundTo) : null,
    },
  }
}

async function findPeople(rt: Runtime, accountId: string, search: string, count: number): Promise<Line[]> {
  const digits = /^[+\d\s().-]+$/.test(search) ? search.replace(/\D/g, '') : ''
  const rows = await rt.store.read(findConversations, {
    account_id: accountId,
    ...patternsOf(search),
    digits: digits.length >= digitsMin ? digits : '',
    looked_at: customersLookedAt,
    count,
  })
  return withLastMessages(rt, rows)
}

/** The newest message of each customer that says it, and where to look further; null at the beginning of time. */
async function findTexts(
  rt: Runtime,
  accountId: string,
  search: string,
  { at, id }: SearchPosition,
): Promise<{ lines: Line[]; end: SearchPosition | null }> {
  const range = { account_id: accountId, before_at: at, before_id: id, looked_at: messagesLookedAt }
  // As JSON writes it: quotes and line breaks are escaped there.
  const written = JSON.stringify(search).slice(1, -1)
  const [rows, [edge]] = await Promise.all([
    rt.store.read(findMessagesWith, { ...range, ...patternsOf(written), count: messagesFoundMax }),
    rt.store.read(lastLookedAt, range),
  ])
  const last = rows.length === messagesFoundMax ? rows.at(-1) : edge
  const wanted = search.toLowerCase()
  const saying = rows.filter((row) => wordsOf(row)?.toLowerCase().includes(wanted))
  return {
    lines: await linesOf(rt, accountId, saying),
    end: last ? { at: last.created_at, id: last.id } : null,
  }
}

async function linesOf(rt: Runtime, accountId: string, found: readonly MessageRow[]): Promise<Line[]> {
  const newest = new Map<string, MessageRow>()
  for (const row of found) {
    const address = customerOf(row)
    if (address !== null && !newest.has(address)) newest.set(address, row)
  }
  const contacts = await rt.store.read(contactsOf, { account_id: accountId, addresses: [...newest.keys()] })
  const byTime = contacts.toSorted((a, b) => (b.last_inbound_at ?? 0) - (a.last_inbound_at ?? 0))
  return [...newest].map(([address, row]) => {
    const contact = byTime.find((one) => one.address === address)
    return {
      address,
      name: contact?.name ?? row.customer_name,
      numberId: contact?.number_id ?? row.number_id,
      lastInboundAt: contact?.last_inbound_at ?? null,
      unread: contact?.unread ?? 0,
      last: null,
      found: row,
    }
  })
}

/** How people write a word. Two engines compare capitals differently, so each form is asked for. */
function patternsOf(search: string) {
  const lower = search.toLowerCase()
  const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const title = lower.replace(/\p{L}/u, (letter) => letter.toUpperCase())
  return { typed: like(search), lower: like(lower), upper: like(search.toUpperCase()), title: like(title) }
}

/** A customer who never wrote can be written to as well. */
function addressIn(search: string): string | null {
  const parsed = parseRecipient(/^\d/.test(search) ? `+${search}` : search)
  return parsed.ok && parsed.kind === 'phone' ? parsed.value : null
}
