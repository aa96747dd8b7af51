import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyLength = 22
const secretLength = 43
const checksumLength = 6
const connectionPrefix = 'ptg_'

/** The public half: an identifier, shown in lists and logs. */
export function newPublicKey(): string {
  return `ptk_${randomBase62(keyLength)}`
}

/** The secret half: 256 bits and a checksum, so that a typo, or a scanner, is told apart without a database. */
export function newApiSecret(): string {
  const body = randomBase62(secretLength)
  return `pts_${body}${checksum(body)}`
}

/** Both halves of a connection's token, which is one word: the tools that use it know no pairs. */
export function newConnectionCredentials(): { publicKey: string; secret: string } {
  const body = randomBase62(secretLength)
  return { publicKey: `${connectionPrefix}${randomBase62(keyLength)}`, secret: `${body}${checksum(body)}` }
}

export function connectionToken(publicKey: string, secret: string): string {
  return `${publicKey}_${secret}`
}

/** Null for what was never made here, a typo included: that costs no look into the database. */
export function readConnectionToken(token: string): { publicKey: string; secret: string } | null {
  const [, publicKey, secret = ''] = /^(ptg_[A-Za-z0-9]{22})_([A-Za-z0-9]{49})$/.exec(token) ?? []
  const body = secret.slice(0, secretLength)
  return publicKey && secret.slice(secretLength) === checksum(body) ? { publicKey, secret } : null
}

export function looksLikeCredential(text: string): boolean {
  return /^pt[gks]_/.test(text)
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
