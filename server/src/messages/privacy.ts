import { seesPeople } from '../access/caller.ts'
import type { Member } from '../access/console-member.ts'
import { treated } from '../contract/privacy.ts'
import { erasedIds, shownReference } from '../events/masked-event.ts'
import { maskPhone } from '../lib/text/mask.ts'
import type { Runtime } from '../runtime.ts'
import { findOwnIds, type MessageRow, messagePrivacy } from '../store/messages/messages.ts'
import { readNumbers } from './number-facts.ts'

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

/**
 * Whether customers and what they write are hidden from a member. Customers of the sandbox are not real, so an account
 * that never had a real number hides nothing.
 */
export async function hidesPeople(rt: Runtime, member: Pick<Member, 'accountId' | 'role'>): Promise<boolean> {
  if (seesPeople(member)) return false
  const numbers = await readNumbers(rt, member.accountId)
  return [...numbers.values()].some(({ kind }) => kind === 'cloud')
}

/**
 * A message for readers who see no people; everything that is shown to them is made from this row. Without an id of
 * Meta's, our own is the one that is shown.
 */
export function hiddenMessage(row: MessageRow): MessageRow {
  return treated(row, messagePrivacy, {
    personal: () => null,
    address: (value) => maskPhone(String(value)),
    customer: (value) => value,
    reference: (value) => shownReference(String(value), [row.phone, row.user_id]),
    sent_message: () => null,
    received_message: () => null,
    other_message: () => null,
  }) as MessageRow
}
