import { erasedIds } from '../events/erased-id.ts'
import type { Runtime } from '../runtime.ts'
import { findMessage, type MessageRow } from '../store/messages/messages.ts'

/** By the channel's id or ours. A message whose customer was erased is still found by the channel's. */
export async function findMessageBy(rt: Runtime, accountId: string, id: string): Promise<MessageRow | null> {
  const look = (known: string) => rt.store.read(findMessage, { account_id: accountId, id: known })
  const [row] = await look(id)
  if (row) return row
  const erasedId = (await erasedIds(rt, accountId))(id)
  const [erased] = erasedId === id ? [] : await look(erasedId)
  return erased ?? null
}
