import type { Runtime } from '../../runtime.ts'
import { accountsInSandbox } from '../../store/channels/sandbox-channels.ts'

/** Which of the accounts never had a real number, only the sandbox's: their customers are nobody, what they write a trial. */
export async function sandboxOnly(rt: Runtime, accountIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await rt.store.read(accountsInSandbox, { account_ids: accountIds })
  return new Set(found.map(({ account_id }) => account_id))
}
