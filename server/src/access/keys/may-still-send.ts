import type { Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../runtime.ts'
import { findApiKey } from '../../store/accounts/api-keys.ts'
import { toApiKey } from './api-key.ts'

const needed: Scope = 'messages:send'

/** What was asked for earlier leaves only while the key that asked could ask for it now. A person has no key. */
export async function mayStillSend(
  rt: Runtime,
  { account_id, key_id }: { account_id: string; key_id: string | null },
): Promise<boolean> {
  if (key_id === null) return true
  const [row] = await rt.store.read(findApiKey, { account_id, id: key_id })
  if (!row) return false
  const { status, scopes } = toApiKey(row, rt.clock.now())
  return status === 'active' && scopes.includes(needed)
}
