/**
 * HMAC-SHA256, synchronous on every runtime. `webhooks.verify()` is synchronous so that a forgotten `await` cannot let
 * an unverified request through, and Web Crypto offers only promises. Node, Bun and Deno lend their native code; the
 * other runtimes use the implementation below, which needs nothing but arithmetic.
 */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const native = nativeCrypto()
  return native ? native.createHmac('sha256', key).update(message).digest() : portableHmacSha256(key, message)
}

/** `getBuiltinModule` finds node:crypto without an import that bundlers for other runtimes would stumble over. */
function nativeCrypto(): Pick<typeof import('node:crypto'), 'createHmac'> | undefined {
  return globalThis.process?.getBuiltinModule?.('node:crypto')
}

const BLOCK_BYTES = 64

/** RFC 2104 over FIPS 180-4, for runtimes without node:crypto. */
export function portableHmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key)
  const inner = sha256(
    concat(
      block.map((byte) => byte ^ 0x36),
      message,
    ),
  )
  return sha256(
    concat(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  )
}

function sha256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n)
  const state = Uint32Array.from(INITIAL_STATE)
  for (let offset = 0; offset < padded.length; offset += BLOCK_BYTES) compress(state, schedule(view, offset))
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, position) => {
    digest.setUint32(position * 4, word)
  })
  return new Uint8Array(digest.buffer)
}

/** The 64 words a block of 16 is stretched to. */
function schedule(view: DataView, offset: number): Uint32Array {
  const words = new Uint32Array(64)
  for (let t = 0; t < 16; t += 1) words[t] = view.getUint32(offset + t * 4)
  for (let t = 16; t < 64; t += 1) {
    const w15 = at(words, t - 15)
    const w2 = at(words, t - 2)
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    words[t] = at(words, t - 16) + s0 + at(words, t - 7) + s1
  }
  return words
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let t = 0; t < 64; t += 1) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + at(ROUND_CONSTANTS, t) + at(words, t)
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  for (const [position, word] of [a, b, c, d, e, f, g, h].entries()) state[position] = at(state, position) + word
}

/** First 32 bits of the fractional part of the square roots (state) and cube roots (rounds) of the first primes. */
const PRIMES = firstPrimes(64)
const INITIAL_STATE = PRIMES.slice(0, 8).map((prime) => fraction32(Math.sqrt(prime)))
const ROUND_CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction32(Math.cbrt(prime)))

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
  }
  return primes
}

function fraction32(value: number): number {
  return Math.floor((value % 1) * 2 ** 32)
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

/** Typed arrays read as possibly undefined; every index here is in range. */
function at(words: Uint32Array, position: number): number {
  return words[position] ?? 0
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}
