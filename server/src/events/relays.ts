import { seesPeople } from '../access/caller.ts'
import { numberIdsOf } from '../access/keys/api-key.ts'
import { type ConnectionOptions, usualOptions } from '../contract/connections.ts'
import type { Relay } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { listRelays, type RelayRow } from '../store/connections/relays.ts'

type Tools = Pick<Runtime, 'store' | 'relayMemory' | 'singleflight'>

/** Where callbacks of an account go on to, as it was known two seconds ago at most. */
export async function relaysOf(rt: Tools, accountId: string): Promise<readonly Relay[]> {
  const known = rt.relayMemory.get(accountId)
  if (known) return known
  return rt.singleflight.run(`relays ${accountId}`, async () => {
    const rows = await rt.store.read(listRelays, { account_id: accountId })
    const relays = rows.toSorted((a, b) => (a.connection_id < b.connection_id ? -1 : 1)).map(relayOf)
    rt.relayMemory.set(accountId, relays)
    return relays
  })
}

function relayOf(row: RelayRow): Relay {
  const { webhook_id: webhookId, key_id: keyId, expires_at: expiresAt } = row
  return {
    webhookId,
    keyId,
    seesPeople: seesPeople({ scopes: JSON.parse(row.scopes) as string[] }),
    numberIds: numberIdsOf(row),
    expiresAt,
    options: optionsOf(row.options),
  }
}

/** What was stored before an option existed has its usual value. */
export function optionsOf(stored: string): ConnectionOptions {
  return { ...usualOptions, ...(JSON.parse(stored) as Partial<ConnectionOptions>) }
}
