import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { Recipients } from '../runtime.ts'

/** The key comes from the pepper and not from the master key: a person keeps their hash when that is rotated. */
export function createRecipients(pepper: () => Promise<Buffer>): Recipients {
  let key: KeyObject | null = null
  return {
    async loadKey() {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', await pepper(), 'postern', 'recipient', 32)))
    },
    hash(accountId, address) {
      if (!key) throw new Error('The key that recipients are hashed with has not been loaded.')
      return createHmac('sha256', key).update(`${accountId}\n${address}`).digest().subarray(0, 16).toString('base64url')
    },
  }
}
