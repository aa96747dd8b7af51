import type { Caller } from '../../access/caller.ts'
import type { Member } from '../../access/console-member.ts'
import { AppError, validationFailed } from '../../contract/app-error.ts'
import { hourMs } from '../../lib/durations.ts'
import { formatInstant } from '../../lib/instant.ts'
import { type PageRequest, readPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { readList } from '../../store/engine/list.ts'
import {
  type ConversationFilters,
  conversationListing,
  conversationsOf,
  countOpen,
  countWaiting,
  waitingListing,
} from '../../store/messages/conversation-list.ts'
import { findCustomer } from '../../store/messages/customers.ts'
import { findGiven, inPath } from '../customers/find-customer.ts'
import type { Sender } from '../send/draft.ts'
import { windowMs } from '../window.ts'
import { describeLines, type Line, withLastMessages } from './conversation-line.ts'

/** The reader: a program, or a person, who is then `me`. */
export type InboxReader = Pick<Caller, 'accountId' | 'phoneNumberIds'> & { seesPeople: boolean; sender: Sender }

type InboxFilters = {
  state?: 'open' | 'closed'
  assignee?: string
  unread?: boolean
  window?: 'closing'
  order?: 'activity' | 'waiting'
}

/** From then on a reply is urgent. */
const closingMs = 4 * hourMs

/** Conversations by their last activity, or customers without a reply with the longest first. */
export async function listConversations(
  rt: Runtime,
  reader: InboxReader,
  { limit, cursor, ...filters }: PageRequest & InboxFilters,
) {
  const { accountId, phoneNumberIds: numberIds } = reader
  const { state = 'open', assignee, unread = false, window, order = 'activity' } = filters
  const now = rt.clock.now()
  const wanted: ConversationFilters = {
    state,
    numberIds,
    ...(unread ? { unread } : {}),
    ...(assignee === undefined ? {} : { assignee: assignee === 'none' ? null : personOf(reader, assignee, 'query') }),
    ...(window ? { wroteBetween: [now - windowMs, now - windowMs + closingMs] } : {}),
  }
  const listing = (order === 'waiting' ? waitingListing : conversationListing)(accountId, wanted)
  const boundTo = ['conversations', accountId, { ...filters, keys: numberIds?.join(' ') ?? '' }] as const
  const { shown, pagination } = await readPage(rt, listing, { limit, cursor, boundTo: [...boundTo] }, (stretch) =>
    readList(rt.store, accountId, listing, stretch),
  )
  return { conversations: await describeLines(rt, reader, await withLastMessages(rt, shown)), pagination }
}

/** The id of a person, where `me` may stand for it. */
export function personOf({ sender }: InboxReader, given: string, location: 'query' | 'body'): string {
  if (given !== 'me') return given
  const actor = sender.author?.actor
  if (actor?.type === 'user' && actor.id !== null) return actor.id
  const message = 'Only a signed-in person is `me`. Use an id from GET /v1/chat/assignees.'
  throw validationFailed([{ field: 'assignee', location, code: 'invalid_value', message }])
}

export async function getConversationState(rt: Runtime, reader: InboxReader, given: string) {
  const [described] = await describeLines(rt, reader, [await requireLine(rt, reader, given)])
  if (!described) throw new Error('One line was described as none.')
  return described
}

/** The conversation with a customer the account knows; one that nobody has begun is open and empty. */
export async function requireLine(
  rt: Runtime,
  { accountId, phoneNumberIds }: InboxReader,
  given: string,
): Promise<Line> {
  const { id, address } = await findGiven(rt, accountId, given, inPath)
  const [customer] = id === null ? [] : await rt.store.read(findCustomer, { account_id: accountId, id })
  if (!customer) throw notFound()
  const rows = await rt.store.read(conversationsOf, { account_id: accountId, customer_ids: [customer.id] })
  const [line] = await withLastMessages(rt, rows)
  if (phoneNumberIds && !phoneNumberIds.includes(line?.number_id ?? '')) throw notFound()
  return line ?? { ...blankLine, customer_id: customer.id, address, name: customer.name, active_at: customer.active_at }
}

const notFound = () => new AppError('customer_not_found', 'The account has no such customer.')

/** Of a customer with whom nobody has begun one. */
export const blankLine = {
  number_id: null,
  state: 'open',
  assignee_id: null,
  assigned_at: null,
  unread: 0,
  waiting_since: null,
  last_inbound_at: null,
  closed_at: null,
  last: null,
} as const satisfies Partial<Line>

/** Some milliseconds of work; an inbox with more than this says so. */
const countedMax = 10_000

/** The numbers at the tabs of the inbox, in the sidebar and on the icon. */
export async function countInbox(rt: Runtime, { accountId, userId }: Member) {
  const [[counts], [waiting]] = await Promise.all([
    rt.store.read(countOpen, { account_id: accountId, user_id: userId, count: countedMax }),
    rt.store.read(countWaiting, { account_id: accountId, count: countedMax }),
  ])
  const { open = 0, unread = 0, mine = 0, unassigned = 0 } = counts ?? {}
  return {
    ...{ open, unread, mine, unassigned },
    waiting: waiting?.waiting ?? 0,
    waiting_since: formatInstant(waiting?.since ?? null),
    counted_max: countedMax,
  }
}
