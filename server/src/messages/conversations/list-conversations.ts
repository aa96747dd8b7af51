import type { Member } from '../../access/console-member.ts'
import { openCursor, type PageRequest, toPage } from '../../paging.ts'
import type { Runtime } from '../../runtime.ts'
import { type ConversationRow, listConversationRows } from '../../store/messages/conversations.ts'
import { describeLines, withLastMessages } from './conversation-line.ts'
import { requireCustomersShown } from './require-customers-shown.ts'

type Position = { among: 'unread' | 'read'; at: number; address: string }
const start = { at: Number.MAX_SAFE_INTEGER, address: '' }
const end = { at: -1, address: '' }

/** Customers who wrote, those who wait to be read first, each with the last message in either direction. */
export async function listConversations(rt: Runtime, member: Member, { limit, cursor }: PageRequest) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const boundTo = ['conversations', accountId]
  const [among, at, address] = openCursor(rt, cursor, boundTo) ?? ['unread', start.at, start.address]
  const from: Position = { among: among === 'unread' ? 'unread' : 'read', at: Number(at), address: String(address) }
  const rows = await readRows(rt, accountId, from, limit + 1)
  const { shown, pagination } = toPage(rt, rows, { limit, boundTo, positionOf })
  return {
    conversations: await describeLines(rt, accountId, await withLastMessages(rt, shown)),
    address: null,
    searched_back_to: null,
    pagination,
  }
}

async function readRows(rt: Runtime, accountId: string, from: Position, count: number): Promise<ConversationRow[]> {
  const waiting = from.among === 'unread' ? from : end
  const others = from.among === 'read' ? from : start
  const rows = await rt.store.read(listConversationRows, {
    account_id: accountId,
    waiting_at: waiting.at,
    waiting_address: waiting.address,
    others_at: others.at,
    others_address: others.address,
    count,
  })
  const waits = ({ unread }: ConversationRow) => Number(unread > 0)
  rows.sort((a, b) => waits(b) - waits(a) || b.last_inbound_at - a.last_inbound_at || (a.address < b.address ? 1 : -1))
  return rows.slice(0, count)
}

function positionOf({ unread, last_inbound_at, address }: ConversationRow) {
  return [unread > 0 ? 'unread' : 'read', last_inbound_at, address]
}
