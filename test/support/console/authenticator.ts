import { totpCode, totpStep } from '../../../server/src/lib/totp.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What a person's app shows at a moment, for a secret as it was typed into it. */
export function appCode(secret: string, now: number): string {
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return totpCode(Buffer.from(bytes), totpStep(now))
}
