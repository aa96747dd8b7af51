import { randomBytes } from 'node:crypto'
import { invalidField } from '../../contract/app-error.ts'
import { secretAdvice, secretPattern } from '../../contract/webhooks.ts'
import { createShortMac, type ShortMac } from '../../lib/secrets.ts'
import type { Runtime } from '../../runtime.ts'

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

type Signed = { id: string; timestampSeconds: number; body: Uint8Array }

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

const prefix = 'whsec_'
const accepted = new RegExp(secretPattern)

/** Refuses what the API's schema refuses, for callers that come another way. */
export function checkSecret(secret: string): void {
  if (accepted.test(secret)) return
  throw invalidField('secret', 'invalid_secret', secretAdvice)
}

/** The bytes that sign: what stands behind `whsec_` decoded, or the characters of any other secret themselves. */
export function signingBytes(secret: string): Buffer {
  checkSecret(secret)
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret, 'ascii')
}

/** 32 bytes: what every library of the standard takes without options. */
export function generateSecret(): string {
  return prefix + randomBytes(32).toString('base64')
}
