import { boundTo } from '../channels/channel-app.ts'
import { createShortMac, type ShortMac } from '../lib/secrets.ts'
import type { Runtime } from '../runtime.ts'

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

/** What signs the callbacks of a connection. */
export function macOfConnection(rt: Runtime, owner: Owner, sealed: string): ShortMac {
  const known = macs.get(sealed)
  if (known) return known
  const mac = createShortMac(Buffer.from(openSecret(rt, owner, 'app_secret', sealed)))
  if (macs.size >= macsMax) macs.delete(macs.keys().next().value ?? '')
  macs.set(sealed, mac)
  return mac
}
