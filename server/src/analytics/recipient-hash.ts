import { hkdfSync } from 'node:crypto'
import { createShortMac, type ShortMac } from '../lib/short-mac.ts'
import type { Recipients } from '../runtime.ts'

/** The key comes from the pepper and not from the master key: a person keeps their hash when that is rotated. */
export function createRecipients(pepper: () => Promise<Buffer>): Recipients {
  let mac: ShortMac | null = null
  return {
    async loadKey() {
      mac = createShortMac(Buffer.from(hkdfSync('sha256', await pepper(), 'postern', 'recipient', 32)))
    },
    hash(accountId, address) {
      if (!mac) throw new Error('The key that recipients are hashed with has not been loaded.')
      return Buffer.from(mac('binary', `${accountId}\n${address}`).slice(0, 16), 'latin1').toString('base64url')
    },
  }
}
