import { type Author, operator } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { type AccountRow, findAccount, listAccounts } from '../store/accounts/accounts.ts'

/** Accounts, the customers and rate cards they own, and what the installation remembers of all. */
export { tailRequests } from '../access/request-log.ts'
export { installationLog, operator, verifyAudit } from '../audit/audit.ts'
export { addSandboxRequest, sandboxConnected } from '../channels/sandbox-number.ts'
export { everyAccount, importRates, listRates, removeRates } from '../costs/rate-cards.ts'
export { type AccountChange, changeAccount, createAccount } from '../installation/account.ts'
export { planDeletion } from '../installation/delete-account.ts'
export { rotateMasterKey, UnreadableSecret } from '../installation/rotate-master-key.ts'

export type Account = AccountRow

/** The person who runs a command, for the audit log. */
export const author: Author = { actor: operator, context: { ip: null, user_agent: null, request_id: null } }

const page = 200

/** The oldest first: that is the operator's. */
export async function* allAccounts(rt: Runtime): AsyncGenerator<Account> {
  let after = ''
  for (;;) {
    const rows = await rt.store.read(listAccounts, { after, count: page })
    yield* rows
    if (rows.length < page) return
    after = rows.at(-1)?.id ?? ''
  }
}

/** Names need not be unique. */
export async function accountsCalled(rt: Runtime, idOrName: string): Promise<Account[]> {
  if (idOrName.startsWith('acc_')) {
    const [account] = await rt.store.read(findAccount, { id: idOrName })
    if (account) return [account]
  }
  const named: Account[] = []
  for await (const account of allAccounts(rt)) if (account.name === idOrName) named.push(account)
  return named
}

export function firstAccounts(rt: Runtime, count: number): Promise<Account[]> {
  return rt.store.read(listAccounts, { after: '', count })
}
