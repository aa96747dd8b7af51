import { mayDo, type Role } from '../../contract/console/roles.ts'
import { formatInstant } from '../../lib/instant.ts'
import { maskPhone } from '../../lib/text/mask.ts'
import type { Runtime } from '../../runtime.ts'
import { listUsers } from '../../store/accounts/users.ts'
import type { ConversationRow } from '../../store/messages/conversation-list.ts'
import { findMessagesById, type MessageRow } from '../../store/messages/messages.ts'
import { previewOf } from '../content/inbound-content.ts'
import { failureOf, publicId } from '../message-record.ts'
import { readNumbers } from '../number-facts.ts'
import { describeWindow } from '../window.ts'

export type Line = Omit<ConversationRow, 'last_id'> & { last: MessageRow | null }

type Reader = { accountId: string; seesPeople: boolean }

/** Conversations of a page with their last messages: two reads, however long the page is. */
export async function withLastMessages(rt: Runtime, rows: readonly ConversationRow[]): Promise<Line[]> {
  const ids = rows.flatMap(({ last_id }) => last_id ?? [])
  const messages = ids.length === 0 ? [] : await rt.store.read(findMessagesById, { ids })
  const byId = new Map(messages.map((message) => [message.id, message]))
  return rows.map((row) => ({ ...row, last: byId.get(row.last_id ?? '') ?? null }))
}

/** As API and console show them. Who sees no people gets no names and words. */
export async function describeLines(rt: Runtime, { accountId, seesPeople }: Reader, lines: readonly Line[]) {
  const [numbers, names] = await Promise.all([
    readNumbers(rt, accountId),
    memberNames(
      rt,
      accountId,
      lines.map(({ assignee_id }) => assignee_id),
    ),
  ])
  return lines.map((line) => {
    const { customer_id, address, number_id: numberId, last_inbound_at: lastInboundAt, last } = line
    const number = numberId === null ? undefined : numbers.get(numberId)
    const customer = address ?? customer_id
    const assignee = assigneeOf(names, line.assignee_id)
    return {
      customer_id,
      customer: seesPeople ? customer : maskPhone(customer),
      name: seesPeople ? line.name : null,
      phone_number: number?.phoneNumber ?? null,
      state: line.state as 'open' | 'closed',
      assignee,
      assigned_at: assignee && formatInstant(line.assigned_at),
      unread: line.unread,
      waiting_since: formatInstant(line.waiting_since),
      last_inbound_at: formatInstant(lastInboundAt),
      active_at: formatInstant(line.active_at),
      closed_at: formatInstant(line.closed_at),
      window: describeWindow(rt, number, { lastInboundAt }),
      last_message: last && describeLast(last, seesPeople),
    }
  })
}

export function describeLast(row: MessageRow, seesPeople: boolean) {
  return {
    message_id: seesPeople ? publicId(row) : row.id,
    direction: row.direction as 'outbound' | 'inbound',
    type: row.type,
    status: row.status,
    template: row.template,
    preview: seesPeople ? previewOf(row) : null,
    error_code: failureOf(row)?.code ?? null,
    created_at: formatInstant(row.created_at),
  }
}

export type Assignee = { user_id: string; name: string }

/** Whether a person with this role can be assigned to conversations. */
function mayReply(role: Role): boolean {
  return mayDo(role, 'conversations:write') && mayDo(role, 'messages:send') && mayDo(role, 'pii:read')
}

/** Everybody who can be assigned to a conversation, by name. */
export async function listAssignees(rt: Runtime, accountId: string): Promise<Assignee[]> {
  const users = await rt.store.read(listUsers, { account_id: accountId })
  return users
    .filter(({ role }) => mayReply(role as Role))
    .map(({ id, name }) => ({ user_id: id, name }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** Names of all members; of none where nobody is assigned. */
export async function memberNames(
  rt: Runtime,
  accountId: string,
  assigned: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  if (assigned.every((id) => id === null)) return new Map()
  const users = await rt.store.read(listUsers, { account_id: accountId })
  return new Map(users.map(({ id, name }) => [id, name]))
}

/** Null also for a person who has left since. */
export function assigneeOf(names: ReadonlyMap<string, string>, id: string | null): Assignee | null {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? null : { user_id: id, name }
}
