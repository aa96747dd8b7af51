import { erasedIds } from '../../events/erased-id.ts'
import type { Runtime } from '../../runtime.ts'
import { findOwnIds } from '../../store/messages/messages.ts'

/**
 * Our own ids of messages, for readers who see no people: the ids that Meta gives contain the customer's number. Null
 * where the message is no longer kept.
 */
export async function ownIds(
  rt: Runtime,
  accountId: string,
  publicIds: readonly (string | null)[],
): Promise<(publicId: string | null) => string | null> {
  const ids = [...new Set(publicIds.filter((id) => id !== null))]
  const rows = ids.length > 0 ? await rt.store.read(findOwnIds, { account_id: accountId, ids }) : []
  const byPublicId = new Map(
    rows.flatMap(({ id, channel_message_id }) => [
      [id, id],
      [channel_message_id ?? id, id],
    ]),
  )
  return (publicId) => (publicId === null ? null : (byPublicId.get(publicId) ?? null))
}

/** Records about messages, each with our own id in place of Meta's. */
export async function withOwnIds<Shown extends { message_id: string | null }>(
  rt: Runtime,
  accountId: string,
  records: readonly Shown[],
): Promise<Shown[]> {
  const ownId = await ownIds(
    rt,
    accountId,
    records.map(({ message_id }) => message_id),
  )
  return records.map((record) => ({ ...record, message_id: ownId(record.message_id) }))
}

/** Every id of a message, whichever of them is given. */
export async function idsOf(rt: Runtime, accountId: string, given: string): Promise<string[]> {
  const erasedId = (await erasedIds(rt, accountId))(given)
  const rows = await rt.store.read(findOwnIds, { account_id: accountId, ids: [given, erasedId] })
  return [...new Set([given, ...rows.flatMap(({ id, channel_message_id }) => [id, channel_message_id ?? id])])]
}
