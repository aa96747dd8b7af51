import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyLength = 22
const secretLength = 43
const checksumLength = 6

/** The public half: an identifier, shown in lists and logs. */
export function newPublicKey(): string {
  return `ptk_${randomBase62(keyLength)}`
}

/** The secret half: 256 bits and a checksum, so that a typo, or a scanner, is told apart without a database. */
export function newApiSecret(): string {
  const body = randomBase62(secretLength)
  return `pts_${body}${checksum(body)}`
}

export function looksLikeCredential(text: string): boolean {
  return /^pt[ks]_/.test(text)
}

export function shortened(publicKey: string): string {
  return `${publicKey.slice(0, 8)}…${publicKey.slice(-4)}`
}

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 = 4 * 62: bytes above it would favour the first letters.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
  }
  return text
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let index = 0; index < checksumLength; index++) {
    text = base62.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}
