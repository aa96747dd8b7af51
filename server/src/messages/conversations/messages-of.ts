import type { Runtime } from '../../runtime.ts'
import type { Position } from '../../store/engine/cursor.ts'
import { readList } from '../../store/engine/list.ts'
import { messageListing } from '../../store/messages/message-list.ts'
import type { MessageRow } from '../../store/messages/messages.ts'

/** The newest messages of a customer, newest first. */
export async function messagesOf(
  rt: Runtime,
  accountId: string,
  customerId: string | null,
  stretch: { after: Position | null; count: number },
): Promise<MessageRow[]> {
  if (customerId === null) return []
  return (await readList(rt.store, accountId, messageListing(accountId, { customerId }, 'desc'), stretch)).rows
}
