import { type AuditContext, type AuditEntry, writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { AttemptSource, SignInLimit } from '../limits/sign-in.ts'
import type { Runtime } from '../runtime.ts'
import type { UserRow } from '../store/accounts/users.ts'
import type { Unit } from '../store/engine/unit.ts'
import { ownEntry } from './own-entry.ts'
import { addProof, asCodeRefusal, matchCode } from './two-factor-code.ts'

export type SecondFactor = { user: UserRow; code: string | null; context: AuditContext; source: AttemptSource }
export type Proof = { addTo(unit: Unit): void; readonly entries: readonly AuditEntry[] }

/** One count for all strangers: they know the password, and may come from many addresses. */
const anywhere: AttemptSource = { browser: 'any', ip: '', addressKnown: false }

/**
 * Does what needs the second factor of a person who has one. The caller has counted the attempt already; `write` adds
 * the proof to its unit, so that a code is spent together with what it opens.
 */
export async function withTwoFactor<T>(
  rt: Runtime,
  limit: SignInLimit,
  { user, code, context, source }: SecondFactor,
  write: (proof: Proof) => Promise<T>,
): Promise<T> {
  if (user.two_factor_since === null) return write({ addTo: () => {}, entries: [] })
  const isStranger = source.browser === null
  if (isStranger) await limit.attempt(user.person_id, anywhere)
  try {
    const proof = await matchCode(rt, user, code ?? '')
    const entries = proof.by === 'recovery' ? [ownEntry(user, 'two_factor.recovery_code_used', context)] : []
    const done = await write({ addTo: (unit) => addProof(rt, unit, user, proof), entries })
    if (isStranger) await limit.succeeded(user.person_id, anywhere)
    return done
  } catch (error) {
    const refusal = asCodeRefusal(error)
    if (refusal instanceof AppError && refusal.code === 'two_factor_code_invalid') {
      rt.metrics.consoleLogins.inc({ outcome: 'failed' })
      await writeAudited(rt, ownEntry(user, 'two_factor.code_refused', context), () => {})
    }
    throw refusal
  }
}
