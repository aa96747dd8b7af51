import { entryBy, type Member } from '../access/console-member.ts'
import { writeAudited } from '../audit/audit.ts'
import type { Runtime } from '../runtime.ts'
import { requireTwoFactorOfAll } from '../store/accounts/two-factor.ts'

/** Members without it are led to set it up when they sign in next; sessions that are open stay. */
export async function requireTwoFactor(rt: Runtime, member: Member, required: boolean): Promise<void> {
  if (required === member.twoFactorRequired) return
  const { accountId, accountName } = member
  const action = required ? 'account.two_factor_required' : 'account.two_factor_optional'
  const account = { type: 'account', id: accountId, name: accountName }
  await writeAudited(rt, entryBy(member, action, account), (unit) =>
    unit.add(requireTwoFactorOfAll, { id: accountId, required_at: required ? rt.clock.now() : null }),
  )
}
