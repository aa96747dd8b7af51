import type { Runtime } from '../../runtime.ts'
import type { Position } from '../../store/engine/cursor.ts'
import { readLists } from '../../store/engine/list.ts'
import { messageListing } from '../../store/messages/message-list.ts'
import type { MessageRow } from '../../store/messages/messages.ts'

/** The newest messages of a customer under any of their addresses, newest first: one short list per address, merged. */
export async function messagesOf(
  rt: Runtime,
  accountId: string,
  addresses: readonly string[],
  { after, count }: { after: Position | null; count: number },
): Promise<MessageRow[]> {
  const lists = await readLists(
    rt.store,
    accountId,
    addresses.map((address) => {
      const filters = address.startsWith('+') ? { phone: address } : { userId: address }
      return [messageListing(accountId, filters, 'desc'), { after, count }]
    }),
  )
  // A message knows both a number and a user id where the platform told both.
  const byId = new Map(lists.flatMap(({ rows }) => rows).map((row) => [row.id, row]))
  const newestFirst = [...byId.values()].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
  return newestFirst.slice(0, count)
}
