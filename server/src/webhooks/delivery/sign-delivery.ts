import { createShortMac, type ShortMac } from '../../lib/secrets.ts'
import type { Runtime } from '../../runtime.ts'
import { signingBytes } from '../secret-rules.ts'

/** A webhook as far as signing needs it: its sealed secrets. */
export type Signer = {
  id: string
  secret: string | null
  previous_secret: string | null
  previous_secret_until: number | null
}

/**
 * The Standard Webhooks signature: `v1,` and the HMAC over id, time and the exact bytes. During a rotation both secrets
 * sign, the newest first. Null without a secret.
 */
export function signDelivery(rt: Pick<Runtime, 'secrets' | 'clock'>, signer: Signer, message: Signed): string | null {
  const signatures = secretsOf(signer, rt.clock.now()).map((sealed) =>
    signatureWith(macOf(rt, signer.id, sealed), message),
  )
  return signatures.length > 0 ? signatures.join(' ') : null
}

export type Signed = { id: string; timestampSeconds: number; body: Uint8Array }

export function signatureWith(mac: ShortMac, { id, timestampSeconds, body }: Signed): string {
  return `v1,${mac('base64', `${id}.${timestampSeconds}.`, body)}`
}

export const secretPurpose = 'webhook-secret'

function secretsOf(signer: Signer, now: number): string[] {
  const overlapping = (signer.previous_secret_until ?? 0) > now ? signer.previous_secret : null
  return [signer.secret, overlapping].filter((sealed) => sealed !== null)
}

/** Unsealing a secret takes longer than signing with it. */
const macs = new Map<string, ShortMac>()
const macsMax = 10_000

function macOf(rt: Pick<Runtime, 'secrets'>, webhookId: string, sealed: string): ShortMac {
  const known = macs.get(sealed)
  if (known) return known
  const mac = createShortMac(signingBytes(rt.secrets.open(secretPurpose, webhookId, sealed).toString('ascii')))
  if (macs.size >= macsMax) macs.delete(macs.keys().next().value ?? '')
  macs.set(sealed, mac)
  return mac
}
