import { randomBytes } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { deleteRecoveryCodes, insertRecoveryCode } from '../store/accounts/two-factor.ts'
import type { Unit } from '../store/engine/unit.ts'
import { recoveryMac } from './two-factor-code.ts'

const count = 10
/** 32 letters, none of which is taken for another on paper: one byte gives one without favouring any. */
const letters = '23456789abcdefghijkmnpqrstuvwxyz'
const length = 10

export type RecoveryCodes = { readonly shown: string[]; readonly macs: string[] }

/** 50 bits each. What is shown is stored nowhere. */
export async function makeRecoveryCodes(rt: Runtime, userId: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: count }, () =>
    [...randomBytes(length)].map((byte) => letters.charAt(byte % letters.length)).join(''),
  )
  return {
    shown: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
    macs: await Promise.all(codes.map((code) => recoveryMac(rt, userId, code))),
  }
}

/** The ones before stop working. */
export function replaceRecoveryCodes(unit: Unit, userId: string, { macs }: RecoveryCodes): void {
  unit.add(deleteRecoveryCodes, { user_id: userId })
  unit.add(insertRecoveryCode, ...macs.map((code_mac) => ({ user_id: userId, code_mac })))
}
