import { seesPeople } from '../../access/caller.ts'
import { boundTo } from '../../channels/channel-app.ts'
import type { RelayFacts } from '../../events/publish-relay.ts'
import { createShortMac, type ShortMac } from '../../lib/secrets.ts'
import type { Runtime } from '../../runtime.ts'
import type { DeliveryTarget } from '../../store/webhooks/webhooks.ts'

type Connection = Pick<DeliveryTarget, 'account_id' | 'connection_id' | 'app_secret' | 'key_id' | 'key_scopes'>

/** The callback as this connection gets it: with the ids and the data of its own messages. The same bytes each time. */
export function relayBody(rt: Runtime, { key_id, key_scopes }: Connection, body: string, facts: string): string {
  if (key_id === null || key_scopes === null) throw new Error('The token of this connection was revoked.')
  const messages = (JSON.parse(facts) as RelayFacts).filter(({ keyId }) => keyId === key_id)
  const masked = !seesPeople({ scopes: JSON.parse(key_scopes) as string[] })
  return rt.platform.relay.render(body, { messages, masked })
}

/** Meta's own headers, and two by which a repeat and its number are known. */
export function relayHeaders(
  rt: Runtime,
  connection: Connection,
  { eventId, body, attempt }: { eventId: string; body: Uint8Array; attempt: number },
): Record<string, string> {
  const { connection_id: id, account_id, app_secret } = connection
  if (id === null || app_secret === null) throw new Error('The connection of this relay was deleted.')
  const mac = macOfConnection(rt, { id, account_id }, app_secret)
  return {
    'content-type': 'application/json',
    'user-agent': 'Postern-Webhooks/1.0',
    'webhook-id': eventId,
    'x-postern-attempt': String(attempt),
    ...rt.platform.relay.signed((bytes) => mac('hex', '', bytes), body),
  }
}

export const connectionPurpose = 'connection'

type Owner = { id: string; account_id: string }
type SecretColumn = 'app_secret' | 'next_app_secret' | 'verify_token'

export function sealSecret(rt: Runtime, owner: Owner, column: SecretColumn, value: string): string {
  return rt.secrets.seal(connectionPurpose, boundTo(owner, column), value)
}

export function openSecret(rt: Runtime, owner: Owner, column: SecretColumn, sealed: string): string {
  return rt.secrets.open(connectionPurpose, boundTo(owner, column), sealed).toString('utf8')
}

/** Unsealing a secret takes longer than signing with it. */
const macs = new Map<string, ShortMac>()
const macsMax = 10_000

/** The signing secret of a connection's callbacks. */
function macOfConnection(rt: Runtime, owner: Owner, sealed: string): ShortMac {
  const known = macs.get(sealed)
  if (known) return known
  const mac = createShortMac(Buffer.from(openSecret(rt, owner, 'app_secret', sealed)))
  if (macs.size >= macsMax) macs.delete(macs.keys().next().value ?? '')
  macs.set(sealed, mac)
  return mac
}
