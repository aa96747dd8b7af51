import { mayDo, type Role } from '../../contract/console/roles.ts'
import type { Runtime } from '../../runtime.ts'
import { listUsers } from '../../store/accounts/users.ts'

export type Assignee = { user_id: string; name: string }

/** Whether a person with this role can be assigned to conversations. */
export function mayReply(role: Role): boolean {
  return mayDo(role, 'conversations:write') && mayDo(role, 'messages:send') && mayDo(role, 'pii:read')
}

/** Everybody who can be assigned to a conversation, by name. */
export async function listAssignees(rt: Runtime, accountId: string): Promise<Assignee[]> {
  const users = await rt.store.read(listUsers, { account_id: accountId })
  return users
    .filter(({ role }) => mayReply(role as Role))
    .map(({ id, name }) => ({ user_id: id, name }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

/** Names of all members; of none where nobody is assigned. */
export async function memberNames(
  rt: Runtime,
  accountId: string,
  assigned: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  if (assigned.every((id) => id === null)) return new Map()
  const users = await rt.store.read(listUsers, { account_id: accountId })
  return new Map(users.map(({ id, name }) => [id, name]))
}

/** Null also for a person who has left since. */
export function assigneeOf(names: ReadonlyMap<string, string>, id: string | null): Assignee | null {
  const name = id === null ? undefined : names.get(id)
  return id === null || name === undefined ? null : { user_id: id, name }
}
