import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { pepperOf } from '../access/pepper.ts'
import type { Runtime } from '../runtime.ts'

const keys = new WeakMap<object, KeyObject>()

/**
 * To be done once before anything is sent: hashing happens where nothing may be waited for. The key comes from the pepper
 * of the installation and not from the master key, because a person must stay the same one when that is rotated.
 */
export async function loadRecipientKey(rt: Runtime): Promise<void> {
  const key = hkdfSync('sha256', await pepperOf(rt), 'postern', 'recipient', 32)
  keys.set(rt.secrets, createSecretKey(Buffer.from(key)))
}

/** Tells recipients of one account apart without naming them; keyed, because phone numbers can be tried one by one. */
export function recipientHash(rt: Pick<Runtime, 'secrets'>, accountId: string, address: string): string {
  const key = keys.get(rt.secrets)
  if (!key) throw new Error('The key that recipients are hashed with has not been loaded.')
  return createHmac('sha256', key).update(`${accountId}\n${address}`).digest().subarray(0, 16).toString('base64url')
}
