import type { Customer } from '../../callback-item.ts'
import { type JsonObject, textOf } from '../lenient-json.ts'
import { phoneOf } from './callback-facts.ts'

/** A customer's number or user id is another one from now on. */
export type IdentityChange = { current: Customer; former: string[] }

/**
 * Reads `user_changed_number` and `user_changed_user_id`. `from` names the former number; a changed user id may come with
 * neither `from` nor `contacts`. Some name the former id only at the end of their sentence ("... changed from A to B"),
 * which counts where B is who they are now: the customer's own name stands in that sentence too.
 */
export function identityChangeOf(system: JsonObject | null, sender: Customer): IdentityChange | null {
  const type = textOf(system?.type)
  if (!system || (type !== 'user_changed_number' && type !== 'user_changed_user_id')) return null
  const current: Customer = {
    phone: phoneOf(system.wa_id) ?? phoneOf(system.new_wa_id) ?? (type === 'user_changed_number' ? null : sender.phone),
    userId: textOf(system.user_id) ?? (type === 'user_changed_number' ? sender.userId : null),
  }
  const isCurrent = (address: string) => address === current.phone || address === current.userId
  const [, told, now] = / changed from (\S+) to (\S+)$/.exec(textOf(system.body) ?? '') ?? []
  const toldFormer = isCurrent(addressOf(now) ?? '') ? addressOf(told) : null
  const former = [sender.phone, sender.userId, textOf(system.previous_user_id), toldFormer]
  const known = former.filter((address) => address !== null && !isCurrent(address)) as string[]
  return { current, former: [...new Set(known)] }
}

function addressOf(word = ''): string | null {
  return /^[A-Z]{2}\.[0-9A-Za-z.]+$/.test(word) ? word : phoneOf(word)
}
