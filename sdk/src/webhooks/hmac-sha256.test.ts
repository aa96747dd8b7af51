import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hmacSha256, portableHmacSha256 } from './hmac-sha256.ts'

const expected = (key: Uint8Array, message: Uint8Array) => createHmac('sha256', key).update(message).digest('hex')
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('the portable HMAC equals the native one around every block border', () => {
  const message = randomBytes(300)
  const lengths = Array.from({ length: 260 }, (_, length) => length)
  const wrong = lengths.filter((length) => {
    const [key, part] = [message.subarray(0, length % 140), message.subarray(0, length)]
    return hex(portableHmacSha256(key, part)) !== expected(key, part)
  })
  expect(wrong).toEqual([])
})

test('the portable HMAC equals the native one on the largest event', () => {
  const [key, body] = [randomBytes(32), randomBytes(256 * 1024)]
  expect(hex(portableHmacSha256(key, body))).toBe(expected(key, body))
})

test('the HMAC in use is right, with and without node:crypto in reach', () => {
  const [key, body] = [randomBytes(32), randomBytes(1_000)]
  expect(hex(hmacSha256(key, body))).toBe(expected(key, body))
  const { process } = globalThis
  Reflect.deleteProperty(globalThis, 'process')
  const portable = hmacSha256(key, body)
  globalThis.process = process
  expect(hex(portable)).toBe(expected(key, body))
})
