import { createHmac } from 'node:crypto'
import { AppError } from '../contract/app-error.ts'
import { matchTotp } from '../lib/totp.ts'
import type { Runtime } from '../runtime.ts'
import { spendRecoveryCode, spendTwoFactorStep } from '../store/accounts/two-factor.ts'
import type { UserRow } from '../store/accounts/users.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'

export const secretPurpose = 'two factor'

/** A code that fits. Whether it was used before is decided by the write that spends it. */
export type CodeProof =
  | { readonly by: 'app'; readonly step: number }
  | { readonly by: 'recovery'; readonly mac: string }

/** Takes a code of the app or a recovery code, as people type and paste them. */
export async function matchCode(rt: Runtime, user: UserRow, given: string): Promise<CodeProof> {
  const code = given.replace(/[\s-]/g, '').toLowerCase()
  if (user.two_factor_secret === null) throw codeRefused()
  if (!/^\d{6}$/.test(code)) return { by: 'recovery', mac: await recoveryMac(rt, user.person_id, code) }
  const secret = rt.secrets.open(secretPurpose, user.person_id, user.two_factor_secret)
  const step = matchTotp(secret, code, rt.clock.now())
  if (step === null) throw codeRefused()
  return { by: 'app', step }
}

/** Spends the code in the unit that it allows: of two requests with one code, one is undone. */
export function addProof(rt: Runtime, unit: Unit, user: UserRow, proof: CodeProof): void {
  if (proof.by === 'app') unit.add(spendTwoFactorStep, { id: user.person_id, step: proof.step })
  else unit.add(spendRecoveryCode, { person_id: user.person_id, code_mac: proof.mac, now: rt.clock.now() })
}

/** A unit undone because its code was spent already, as a refusal. Other errors stay what they are. */
export function asCodeRefusal(error: unknown): unknown {
  if (!(error instanceof ConditionFailed)) return error
  if (error.operation === spendRecoveryCode.name) return codeRefused()
  if (error.operation !== spendTwoFactorStep.name) return error
  return new AppError('two_factor_code_invalid', 'This code was already used. Wait for the next one in your app.')
}

export function codeRefused(): AppError {
  return new AppError('two_factor_code_invalid', 'The code is wrong. Use the current code from your app.')
}

/** Keyed with the pepper: the database alone is not enough to try all codes. */
export async function recoveryMac(rt: Runtime, personId: string, code: string): Promise<string> {
  const hmac = createHmac('sha256', await rt.pepper())
  return hmac.update(`recovery code\n${personId}\n${code}`).digest('base64url')
}
