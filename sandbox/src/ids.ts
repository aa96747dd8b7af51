import { randomBytes, randomInt } from 'node:crypto'

/** Ids of nodes are numeric strings; below 2^53 because webhooks carry template ids as JSON numbers. */
export function numericId(): string {
  return String(100_000_000 + randomInt(800_000_000)) + String(randomInt(10_000_000)).padStart(7, '0')
}

export function accessToken(): string {
  return `EAA${randomBytes(72).toString('hex').toUpperCase()}`
}

export function appSecret(): string {
  return randomBytes(16).toString('hex')
}

export function traceId(): string {
  return `A${drawText(22)}`
}

// Drawing from a prepared pool costs a tenth of one call to the random source per id.
const POOL_BYTES = 6144
let pool = ''
let poolAt = 0

export function drawText(length: number): string {
  if (poolAt + length > pool.length) {
    pool = randomBytes(POOL_BYTES).toString('base64url')
    poolAt = 0
  }
  poolAt += length
  return pool.slice(poolAt - length, poolAt)
}

let hexPool = ''
let hexAt = 0

export function drawHex(length: number): string {
  if (hexAt + length > hexPool.length) {
    hexPool = randomBytes(POOL_BYTES).toString('hex').toUpperCase()
    hexAt = 0
  }
  hexAt += length
  return hexPool.slice(hexAt - length, hexAt)
}
