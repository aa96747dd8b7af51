import type { Clock } from './lib/clock.ts'
import { hourMs } from './lib/durations.ts'

/**
 * Customers whom this process has written to within an hour, so that a send need not ensure again that its recipient has an id,
 * with the first address of each, which names the rate limit of all. It is a hint: the message takes its customer from the
 * database.
 */
export type KnownRecipients = {
  find(accountId: string, address: string): string | null
  note(accountId: string, address: string, firstAddress: string): void
  forget(accountId: string, address: string): void
}

const recipientsMax = 20_000

export function createKnownRecipients(clock: Clock): KnownRecipients {
  const known = new Map<string, { firstAddress: string; until: number }>()
  const keyOf = (accountId: string, address: string) => `${accountId} ${address}`
  return {
    find(accountId, address) {
      const found = known.get(keyOf(accountId, address))
      return found && found.until > clock.now() ? found.firstAddress : null
    },
    note(accountId, address, firstAddress) {
      const key = keyOf(accountId, address)
      const found = known.get(key)
      if (found && found.until > clock.now()) {
        found.firstAddress = firstAddress
        return
      }
      if (known.size >= recipientsMax) known.clear()
      known.set(key, { firstAddress, until: clock.now() + hourMs })
    },
    forget(accountId, address) {
      known.delete(keyOf(accountId, address))
    },
  }
}
