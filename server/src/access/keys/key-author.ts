import type { AuditContext, Author } from '../../audit/audit.ts'
import type { Runtime } from '../../runtime.ts'
import { findApiKey } from '../../store/accounts/api-keys.ts'
import type { Caller } from '../caller.ts'

/** A program as the author of a change, under the name its key had at that time. */
export async function keyAuthor(
  rt: Runtime,
  { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>,
  context: AuditContext,
): Promise<Author> {
  const [key] = await rt.store.read(findApiKey, { account_id: accountId, id: keyId })
  return { actor: { type: 'api_key', id: keyId, name: key?.name ?? keyId }, context }
}
