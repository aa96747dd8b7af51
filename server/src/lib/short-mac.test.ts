import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createShortMac } from './secrets.ts'

test.each(['', 'a', 'acc_1\n+15550000001', 'é 👍 ی', 'x'.repeat(55), 'x'.repeat(64), 'x'.repeat(1_000)])(
  'the short way gives what createHmac gives: %j',
  (text) => {
    const key = randomBytes(32)
    const mac = createShortMac(key)
    const expected = createHmac('sha256', key).update(text).digest()
    expect(mac('base64', text)).toBe(expected.toString('base64'))
    expect(mac('binary', text)).toBe(expected.toString('latin1'))
  },
)

test.each([1, 32, 63, 64, 65, 256])('so it does with a key of %i bytes, and with bytes behind the text', (length) => {
  const [key, bytes] = [randomBytes(length), randomBytes(700)]
  const mac = createShortMac(key)
  const expected = createHmac('sha256', key).update('évt_1.').update(bytes).digest('base64')
  for (let again = 0; again < 2; again++) expect(mac('base64', 'évt_1.', bytes)).toBe(expected)
})
