import { insertPerson } from '../store/accounts/people.ts'
import { insertMember, type MemberRow } from '../store/accounts/users.ts'
import type { Unit } from '../store/engine/unit.ts'

/** A member of an account, and the person who may become it through a link. */
export type NewUser = MemberRow & { email: string | null; password_hash: string | null }

/** A person nobody has met yet, as a member of one account. */
export function addUser(
  unit: Unit,
  { email, password_hash, ...member }: NewUser,
  operator: 'first' | null = null,
): void {
  const { person_id: id, name, joined_at, created_at, updated_at } = member
  const joined = joined_at === null ? 0 : 1
  unit.add(insertPerson, { id, email, name, password_hash, accounts: 1, joined, operator, created_at, updated_at })
  unit.add(insertMember, member)
}
