import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
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
    signatureWith(keyOf(rt, signer.id, sealed), message),
  )
  return signatures.length > 0 ? signatures.join(' ') : null
}

export type Signed = { id: string; timestampSeconds: number; body: Uint8Array }

export function signatureWith(key: KeyObject, { id, timestampSeconds, body }: Signed): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')}`
}

export const secretPurpose = 'webhook-secret'

function secretsOf(signer: Signer, now: number): string[] {
  const overlapping = (signer.previous_secret_until ?? 0) > now ? signer.previous_secret : null
  return [signer.secret, overlapping].filter((sealed) => sealed !== null)
}

/** A key object signs in 3 us, bytes need 25; and unsealing is not free either. */
const keys = new Map<string, KeyObject>()
const keysMax = 10_000

function keyOf(rt: Pick<Runtime, 'secrets'>, webhookId: string, sealed: string): KeyObject {
  const known = keys.get(sealed)
  if (known) return known
  const key = createSecretKey(signingBytes(rt.secrets.open(secretPurpose, webhookId, sealed).toString('ascii')))
  if (keys.size >= keysMax) keys.delete(keys.keys().next().value ?? '')
  keys.set(sealed, key)
  return key
}
