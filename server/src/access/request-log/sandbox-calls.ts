import { compactPhone } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { numberKinds } from '../../store/channels/sandbox-channels.ts'
import { sandboxOnly } from './sandbox-only.ts'

/** A call of an account; `from` where its body names the number to send from. */
export type LoggedCall = { accountId: string; from: string | null }

/**
 * Tells calls to the sandbox, whose customers are nobody and whose words are a trial. All calls of an account that never
 * had a real number are; of another account only those that name a sandbox number themselves.
 */
export async function sandboxCalls(rt: Runtime, calls: readonly LoggedCall[]): Promise<(call: LoggedCall) => boolean> {
  const inSandbox = await sandboxOnly(rt, [...new Set(calls.map(({ accountId }) => accountId))])
  const mixed = calls.filter(({ accountId, from }) => from !== null && !inSandbox.has(accountId))
  const mixedIds = [...new Set(mixed.map(({ accountId }) => accountId))]
  const numbers = mixedIds.length > 0 ? await rt.store.read(numberKinds, { account_ids: mixedIds }) : []
  return ({ accountId, from }) => {
    if (inSandbox.has(accountId)) return true
    if (from === null) return false
    const phone = compactPhone(from)
    const named = numbers.filter(
      ({ account_id, id, phone_number }) => account_id === accountId && (id === from || phone_number === phone),
    )
    return named.length > 0 && named.every(({ kind }) => kind === 'sandbox')
  }
}
