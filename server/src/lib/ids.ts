import { randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

/** What an id belongs to; the prefix makes a pasted id explain itself. */
export type IdPrefix =
  | 'acc'
  | 'att'
  | 'aud'
  | 'app'
  | 'cbk'
  | 'chn'
  | 'dlv'
  | 'evt'
  | 'fam'
  | 'fep'
  | 'in'
  | 'ins'
  | 'job'
  | 'key'
  | 'med'
  | 'out'
  | 'pn'
  | 'req'
  | 'rpl'
  | 'ses'
  | 'tok'
  | 'tpl'
  | 'usr'
  | 'vrf'
  | 'whk'

export type NewId = (prefix: IdPrefix) => string

/** Lower-case Crockford base32: no look-alikes, and a double click selects the whole id. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const randomLength = 16

/**
 * Ids are `prefix_` + ULID: 48 bits of time, 80 bits of chance. Within one millisecond the random part counts up, so ids
 * of one process sort in the order they were made.
 */
export function createIds(clock: Clock): NewId {
  let lastAt = 0
  let time = encodeTime(lastAt)
  let digits = new Uint8Array(randomLength)
  const randomDigits = createRandomDigits()
  return (prefix) => {
    const at = Math.max(clock.now(), lastAt)
    if (at === lastAt) increment(digits)
    else {
      digits = randomDigits()
      time = encodeTime(at)
      lastAt = at
    }
    return `${prefix}_${time}${encodeDigits(digits)}`
  }
}

function encodeTime(at: number): string {
  let text = ''
  let rest = at
  for (let position = 0; position < 10; position++) {
    text = alphabet.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

// Asking for 16 random bytes takes 2.4 us, taking them from a pool 0.1; a request makes three ids.
function createRandomDigits(): () => Uint8Array<ArrayBuffer> {
  const pool = new Uint8Array(256 * randomLength)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    const digits = pool.slice(used, used + randomLength)
    used += randomLength
    for (let index = 0; index < randomLength; index++) digits[index] = (digits[index] ?? 0) & 31
    // The top digit keeps room for counting up: 2^75 steps before it could wrap.
    digits[0] = (digits[0] ?? 0) & 15
    return digits
  }
}

function increment(digits: Uint8Array): void {
  for (let index = digits.length - 1; index >= 0; index--) {
    const next = ((digits[index] ?? 0) + 1) & 31
    digits[index] = next
    if (next !== 0) return
  }
}

function encodeDigits(digits: Uint8Array): string {
  let text = ''
  for (const digit of digits) text += alphabet.charAt(digit)
  return text
}
