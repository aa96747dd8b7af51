import type { Runtime } from '../../runtime.ts'
import { listMessagesQuery } from '../../store/messages/message-list.ts'
import type { MessageRow } from '../../store/messages/messages.ts'

export type MessagePosition = { createdAt: number; id: string }

/** The newest messages of a customer under any of their addresses, newest first: one short list per address, merged. */
export async function messagesOf(
  rt: Runtime,
  accountId: string,
  addresses: readonly string[],
  { position, count }: { position: MessagePosition | null; count: number },
): Promise<MessageRow[]> {
  const lists = await Promise.all(
    addresses.map((address) => {
      const filters = address.startsWith('+') ? { phone: address } : { userId: address }
      const options = { filters, order: 'desc' as const, position, count }
      return rt.store.list(listMessagesQuery(rt.store.engine, accountId, options), accountId)
    }),
  )
  // A message knows both a number and a user id where the platform told both.
  const byId = new Map(lists.flat().map((row) => [row.id, row]))
  const newestFirst = [...byId.values()].sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
  return newestFirst.slice(0, count)
}
