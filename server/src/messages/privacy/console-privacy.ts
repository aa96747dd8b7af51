import { seesPeople } from '../../access/caller.ts'
import type { Member } from '../../access/console-member.ts'
import type { Runtime } from '../../runtime.ts'
import { readNumbers } from '../number-facts.ts'

/**
 * Whether customers and what they write are hidden from a member. Customers of the sandbox are not real, so an account
 * that never had a real number hides nothing.
 */
export async function hidesPeople(rt: Runtime, member: Pick<Member, 'accountId' | 'role'>): Promise<boolean> {
  if (seesPeople(member)) return false
  const numbers = await readNumbers(rt, member.accountId)
  return [...numbers.values()].some(({ kind }) => kind === 'cloud')
}
