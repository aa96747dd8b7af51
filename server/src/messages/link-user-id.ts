import type { Unit } from '../store/engine/unit.ts'
import { noteAlias } from '../store/messages/contacts.ts'
import type { MessageRow } from '../store/messages/messages.ts'

/**
 * The user id of a message to a number, when the platform names it. A message without any address is one whose customer was
 * erased while it was on its way.
 */
export function userIdAfter({ phone, user_id }: MessageRow, named: string | null): string | null {
  return phone === null ? user_id : (user_id ?? named)
}

/**
 * Number and user id are one customer from then on, who may write with the number hidden. The link is kept under the user id:
 * under the number there may be one to the form of it that the channel uses. A message that has its user id already costs nothing.
 */
export function linkUserId(unit: Unit, before: MessageRow, userId: string | null, now: number): void {
  const { number_id, account_id, phone } = before
  if (phone === null || userId === null || userId === before.user_id) return
  unit.add(noteAlias, { number_id, address: userId, alias: phone, account_id, noted_at: now })
}
