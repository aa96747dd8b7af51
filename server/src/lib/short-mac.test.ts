import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createShortMac } from './short-mac.ts'

test.each(['', 'a', 'acc_1\n+15550000001', 'é 👍 ی', 'x'.repeat(55), 'x'.repeat(64), 'x'.repeat(1_000)])(
  'the short way gives what createHmac gives: %j',
  (text) => {
    const key = randomBytes(32)
    const mac = createShortMac(key)
    expect(mac(text)).toEqual(createHmac('sha256', key).update(text).digest())
  },
)
