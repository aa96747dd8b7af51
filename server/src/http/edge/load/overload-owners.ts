import { networkOf } from '../../../limits/attempts.ts'

const rememberedMax = 5_000

export type Owners = {
  /** Whose request this is, as far as it can be told before the database is asked; null where nothing tells. */
  of(authorization: string, ip: string | null): string | null
  /** These credentials were right. Returns the owner they counted for until now, null where they were known already. */
  remember(authorization: string, accountId: string, ip: string): string | null
}

/**
 * Credentials that were right a while ago count for their account. All others count for the address they come from: what
 * a stranger writes into the header would be another owner each time.
 */
export function createOwners(): Owners {
  const accounts = new Map<string, string>()
  return {
    of(authorization, ip) {
      const accountId = accounts.get(authorization)
      if (accountId !== undefined) return `account ${accountId}`
      return ip === null ? null : ownerAt(ip)
    },
    remember(authorization, accountId, ip) {
      if (accounts.has(authorization)) return null
      if (accounts.size >= rememberedMax) accounts.delete(accounts.keys().next().value ?? '')
      accounts.set(authorization, accountId)
      return ownerAt(ip)
    },
  }
}

function ownerAt(ip: string): string {
  return `address ${networkOf(ip)}`
}
