import type { Member } from '../../access/console-member.ts'
import { openCursor, type PageRequest, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { readLists } from '../../store/engine/list.ts'
import { type ConversationRow, conversationListing } from '../../store/messages/conversations.ts'
import { describeLines, withLastMessages } from './conversation-line.ts'
import { requireCustomersShown } from './require-customers-shown.ts'

/** Customers who wrote, those who wait to be read first, each with the last message in either direction. */
export async function listConversations(rt: Runtime, member: Member, { limit, cursor }: PageRequest) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const boundTo = ['conversations', accountId]
  const [among, ...after] = openCursor(rt, cursor, boundTo) ?? ['unread']
  const start = { after: after.length > 0 ? after : null, count: limit + 1 }
  const [waiting, others] = await readLists(rt.store, accountId, [
    [conversationListing(accountId, 'unread'), among === 'unread' ? start : { after: null, count: 0 }],
    [conversationListing(accountId, 'read'), among === 'unread' ? { ...start, after: null } : start],
  ])
  const found = waiting?.edge
    ? waiting
    : { rows: [...(waiting?.rows ?? []), ...(others?.rows ?? [])], edge: others?.edge ?? null }
  const timeOf = (row: ConversationRow) => row.last_inbound_at
  const { shown, pagination } = toPage(rt, found, { limit, boundTo, positionOf, timeOf })
  return {
    conversations: await describeLines(rt, accountId, await withLastMessages(rt, shown)),
    address: null,
    pagination,
  }
}

function positionOf({ unread, last_inbound_at, customer_id }: ConversationRow) {
  return [unread > 0 ? 'unread' : 'read', last_inbound_at, customer_id]
}
