import { operator } from '../../audit/audit.ts'
import { type Scope, scopes } from '../../contract/scopes.ts'
import type { Runtime } from '../../runtime.ts'
import { listApiKeys } from '../../store/accounts/api-keys.ts'
import { createKey } from '../keys/create-key.ts'
import { mintToken } from './issue-token.ts'
import type { TokenAuthority } from './token-codec.ts'

const keyName = 'Command line on this machine'

/**
 * A token for a process that may open the control socket, and could make any key there. It belongs to a key of the account that
 * is made when first needed; nobody has its secret, and revoking it ends the tokens.
 */
export async function issueLocalToken(
  rt: Runtime,
  authority: TokenAuthority,
  { accountId, createdBy }: { accountId: string; createdBy: string },
) {
  const keys = await rt.store.read(listApiKeys, { account_id: accountId })
  const known = keys.find(({ kind, name, status }) => kind === 'key' && name === keyName && status === 'active')
  const key = known ?? (await createKey(rt, { accountId, name: keyName, scopes, createdBy, actor: operator })).row
  return mintToken(rt, authority, key, JSON.parse(key.scopes) as Scope[])
}
