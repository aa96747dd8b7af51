import type { Runtime } from '../runtime.ts'
import { findUserByEmail, findOwner as ownerOf, type UserRow } from '../store/accounts/users.ts'

/** People who sign in to the console, and those of them who operate the installation. */
export { createUser, type UserWithLink } from '../people/create-user.ts'
export { makeEntryLink } from '../people/make-entry-link.ts'
export { addOperator, describeOperators, endOperator } from '../people/operators.ts'
export { resetPassword } from '../people/reset-password.ts'
export { resetTwoFactor } from '../people/reset-two-factor.ts'
export { renewOwnerLink } from '../people/setup-owner.ts'

export type User = UserRow

export async function findUser(rt: Runtime, email: string): Promise<User | null> {
  return (await rt.store.read(findUserByEmail, { email }))[0] ?? null
}

export async function findOwner(rt: Runtime, accountId: string): Promise<User | null> {
  return (await rt.store.read(ownerOf, { account_id: accountId }))[0] ?? null
}
