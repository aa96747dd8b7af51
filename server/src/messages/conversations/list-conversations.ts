import type { Member } from '../../access/console-member.ts'
import { AppError } from '../../contract/app-error.ts'
import type { Runtime } from '../../runtime.ts'
import { type ConversationRow, listConversationRows } from '../../store/messages/conversations.ts'
import { describeLines, withLastMessages } from './conversation-line.ts'
import { requireCustomersShown } from './require-customers-shown.ts'

export type ConversationPage = { limit: number; cursor: string | null }

type Position = { among: 'unread' | 'read'; at: number; address: string }
const start = { at: Number.MAX_SAFE_INTEGER, address: '' }
const end = { at: -1, address: '' }

/** Customers who wrote, those who wait to be read first, each with the last message in either direction. */
export async function listConversations(rt: Runtime, member: Member, { limit, cursor }: ConversationPage) {
  await requireCustomersShown(rt, member)
  const { accountId } = member
  const boundTo = ['conversations', accountId]
  const from = cursor === null ? { among: 'unread' as const, ...start } : openCursor(rt, cursor, boundTo)
  const rows = await readRows(rt, accountId, from, limit + 1)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    conversations: await describeLines(rt, accountId, await withLastMessages(rt, shown)),
    address: null,
    searched_back_to: null,
    pagination: { limit, has_more: last !== undefined, next_cursor: last ? seal(rt, last, boundTo) : null },
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

function seal(rt: Runtime, { unread, last_inbound_at, address }: ConversationRow, boundTo: unknown): string {
  return rt.cursors.seal([unread > 0 ? 'unread' : 'read', last_inbound_at, address], boundTo)
}

function openCursor(rt: Runtime, cursor: string, boundTo: unknown): Position {
  const position = rt.cursors.open(cursor, boundTo)
  if (!position) throw new AppError('invalid_cursor', 'This cursor belongs to another list, or is too old.')
  const [among, at, address] = position
  return { among: among === 'unread' ? 'unread' : 'read', at: Number(at), address: String(address) }
}
