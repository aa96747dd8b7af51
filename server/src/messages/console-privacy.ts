import { type Member, seesPersonalData } from '../access/console-member.ts'
import { maskPhone } from '../lib/text/mask.ts'
import type { Runtime } from '../runtime.ts'
import { readNumbers } from './number-facts.ts'

/**
 * Whether customers and what they write are hidden from a member. Customers of the sandbox are not real, so an account
 * that never had a real number hides nothing.
 */
export async function hidesPeople(rt: Runtime, member: Member): Promise<boolean> {
  if (seesPersonalData(member)) return false
  const numbers = await readNumbers(rt, member.accountId)
  return [...numbers.values()].some(({ kind }) => kind === 'cloud')
}

export function shownAddress(address: string | null, hidden: boolean): string | null {
  return address !== null && hidden ? maskPhone(address) : address
}
