import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
/** Clocks of phones drift: the step before and the one after count too. */
const driftSteps = [0, -1, 1]
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 6238 with SHA-1, which is what every authenticator app reads. */
export function totpCode(secret: Buffer, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits
  return String(number).padStart(digits, '0')
}

export function totpStep(now: number): number {
  return Math.floor(now / stepMs)
}

/** The step a code belongs to; null when it is none of those around now. */
export function matchTotp(secret: Buffer, code: string, now: number): number | null {
  const given = Buffer.from(code)
  const matching = driftSteps
    .map((drift) => totpStep(now) + drift)
    .filter((step) => {
      const expected = Buffer.from(totpCode(secret, step))
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  return matching[0] ?? null
}

/** RFC 4648 without padding, as authenticator apps want a secret typed. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => base32Letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}
