import type { Member } from '../../access/console-member.ts'
import { formatInstant } from '../../lib/instant.ts'
import { parseRecipient } from '../../lib/phone.ts'
import { openCursor, type PageRequest } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import type { Position } from '../../store/engine/cursor.ts'
import { type Found, readList, readLists, type Stretch } from '../../store/engine/list.ts'
import { type ConversationRow, conversationListing, conversationsOf } from '../../store/messages/conversation-list.ts'
import { messageListing } from '../../store/messages/message-list.ts'
import type { MessageRow } from '../../store/messages/messages.ts'
import { wordsOf } from '../content/inbound-content.ts'
import { customerOf } from '../message-record.ts'
import { describeLast, describeLines, type Line, withLastMessages } from './conversation-line.ts'
import { requireCustomersShown } from './get-conversation.ts'
import { blankLine } from './list-conversations.ts'

const messagesFoundMax = 100
const digitsMin = 3

/** The position to continue the search; null at the end. */
type Next = { at: number; id: string } | null
/** With the message that says what was searched for. */
type FoundLine = Line & { found: MessageRow | null }
type Searched = { lines: FoundLine[]; next: Next }

/**
 * By a part of a name, of a number, or of what was written. Customers and messages from before are searched page by page.
 */
export async function searchConversations(rt: Runtime, member: Member, search: string, page: PageRequest) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const { limit, cursor } = page
  const boundTo = ['conversation-search', accountId, { search }]
  const [texts, open, closed] = stretchesFrom(openCursor(rt, cursor, boundTo), limit)
  const [people, said] = await Promise.all([
    findPeople(rt, accountId, search, [open, closed]),
    findTexts(rt, accountId, search, { ...texts, count: Math.min(texts.count, 1) * messagesFoundMax }),
  ])
  const known = new Set(people.flatMap(({ lines }) => lines).map(({ customer_id }) => customer_id))
  const saying = said.lines.filter(({ customer_id }) => !known.has(customer_id))
  const lines = [...people.flatMap((part) => part.lines).sort((a, b) => b.active_at - a.active_at), ...saying]
  const described = await describeLines(rt, { accountId, seesPeople: true }, lines)
  const nexts = [said, ...people].map(({ next }) => next)
  const searchedBackTo = Math.max(...nexts.map((next) => next?.at ?? ended))
  const more = searchedBackTo > ended
  return {
    conversations: described.map((line, index) => {
      const message = lines[index]?.found
      return { ...line, found: message ? describeLast(message, true) : null }
    }),
    address: addressIn(search),
    pagination: {
      limit,
      has_more: more,
      next_cursor: more
        ? rt.cursors.seal(
            nexts.flatMap((next) => [next?.at ?? ended, next?.id ?? '']),
            boundTo,
          )
        : null,
      ...(more ? { searched_back_to: formatInstant(searchedBackTo) } : {}),
    },
  }
}

const ended = -1

/** Of each list what comes next; nothing of one that has ended. */
function stretchesFrom(position: Position | null, count: number): [Stretch, Stretch, Stretch] {
  const of = (index: number): Stretch => {
    const after = position?.slice(2 * index, 2 * index + 2) ?? null
    return after?.[0] === ended ? { after: null, count: 0 } : { after, count }
  }
  return [of(0), of(1), of(2)]
}

function nextOf<Row>(
  { rows, edge }: Found<Row>,
  count: number,
  placeOf: (row: Row) => { at: number; id: string },
): Next {
  const last = rows.length === count ? rows.at(-1) : edge
  return last === undefined || last === null ? null : placeOf(last)
}

async function findPeople(
  rt: Runtime,
  accountId: string,
  search: string,
  [open, closed]: readonly [Stretch, Stretch],
): Promise<Searched[]> {
  const digits = /^[+\d\s().-]+$/.test(search) ? search.replace(/\D/g, '') : ''
  const wanted = { name: formsOf(search), digits: digits.length >= digitsMin ? digits : '' }
  const stretches = [open, closed]
  const founds = await readLists(rt.store, accountId, [
    [conversationListing(accountId, { state: 'open', search: wanted }), open],
    [conversationListing(accountId, { state: 'closed', search: wanted }), closed],
  ])
  const placeOf = ({ active_at: at, customer_id: id }: ConversationRow) => ({ at, id })
  return Promise.all(
    founds.map(async (found, index) => ({
      lines: (await withLastMessages(rt, found.rows)).map((line) => ({ ...line, found: null })),
      next: nextOf(found, stretches[index]?.count ?? 0, placeOf),
    })),
  )
}

/** The newest message of each customer that says it. */
async function findTexts(rt: Runtime, accountId: string, search: string, stretch: Stretch): Promise<Searched> {
  // As JSON writes it: quotes and line breaks are escaped there.
  const written = JSON.stringify(search).slice(1, -1)
  const found = await readList(
    rt.store,
    accountId,
    messageListing(accountId, { words: formsOf(written) }, 'desc'),
    stretch,
  )
  const wanted = search.toLowerCase()
  // JSON has more words than people wrote.
  const saying = found.rows.filter((row) => wordsOf(row)?.toLowerCase().includes(wanted))
  return {
    lines: await linesOf(rt, accountId, saying),
    next: nextOf(found, stretch.count, ({ created_at: at, id }) => ({ at, id })),
  }
}

async function linesOf(rt: Runtime, accountId: string, found: readonly MessageRow[]): Promise<FoundLine[]> {
  const newest = new Map<string, MessageRow>()
  for (const row of found) {
    const id = row.customer_id
    if (id !== null && !newest.has(id)) newest.set(id, row)
  }
  const known = await rt.store.read(conversationsOf, { account_id: accountId, customer_ids: [...newest.keys()] })
  const byId = new Map(known.map((line) => [line.customer_id, line]))
  return [...newest].map(([customerId, row]) => {
    const line = byId.get(customerId)
    if (line) return { ...line, last: null, found: row }
    return {
      ...blankLine,
      customer_id: customerId,
      address: customerOf(row),
      name: row.customer_name,
      number_id: row.number_id,
      active_at: row.created_at,
      found: row,
    }
  })
}

/** Spellings of a word. The engines compare capitals differently, so the query lists each form. */
function formsOf(search: string): string[] {
  const lower = search.toLowerCase()
  const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const title = lower.replace(/\p{L}/u, (letter) => letter.toUpperCase())
  return [...new Set([search, lower, search.toUpperCase(), title])].map(like)
}

/** A customer who never wrote can be written to as well. */
function addressIn(search: string): string | null {
  const parsed = parseRecipient(/^\d/.test(search) ? `+${search}` : search)
  return parsed.ok && parsed.kind === 'phone' ? parsed.value : null
}
