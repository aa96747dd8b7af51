import { randomBytes } from 'node:crypto'
import { invalidField } from '../contract/app-error.ts'
import { secretAdvice, secretPattern } from '../contract/webhooks.ts'

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
