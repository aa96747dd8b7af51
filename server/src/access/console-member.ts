import type { Actor, AuditContext, AuditEntry, Author, Target } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { Role } from '../contract/console/roles.ts'
import type { Plan } from '../contract/plans.ts'

/** A person in front of the console, once the session has been checked. Verbs take this instead of reading cookies. */
export type Member = {
  readonly sessionId: string
  /** The same in every account of the person; nothing that an account can read says it. */
  readonly personId: string
  /** Of the person in this account. */
  readonly userId: string
  readonly name: string
  readonly email: string | null
  readonly role: Role
  readonly accountId: string
  readonly accountName: string
  readonly plan: Plan
  readonly accountStatus: string
  /** Of the person: `setup_required` while the account requires it and the person has not set it up. */
  readonly twoFactor: 'on' | 'off' | 'setup_required'
  /** Whether the account requires it. */
  readonly twoFactorRequired: boolean
  /** Whether the person operates the installation. */
  readonly operator: boolean
  /** Time of the last password confirmation. */
  readonly confirmedAt: number
  /** Signed out then, whatever happens. */
  readonly expiresAt: number
  /** Signed out then, unless something happens before. */
  readonly endsAt: number
  /** Whether something that happens puts the end off; not in the last 12 hours of the 7 days. */
  readonly extendable: boolean
  readonly context: AuditContext
}

export function actorOf({ userId, name }: Member): Actor {
  return { type: 'user', id: userId, name }
}

/** For verbs that leave a line in the audit log. */
export function authorOf(member: Member): Author {
  return { actor: actorOf(member), context: member.context }
}

/** The line of the audit log about what a member did to a target; without one, to their own record. */
export function entryBy(member: Member, action: string, target?: Target): AuditEntry {
  const { accountId, userId, name } = member
  const targets = [target ?? { type: 'user', id: userId, name }]
  return { accountId, action, ...authorOf(member), targets }
}

/** For ways around the masking: what the role may not see, it may not have sent elsewhere either. */
export function personalDataRefused({ role }: Pick<Member, 'role'>, act: string): AppError {
  const name = role.charAt(0).toUpperCase() + role.slice(1)
  return new AppError(
    'insufficient_role',
    `Your role ${name} cannot see phone numbers and message contents, so it cannot ${act}. Ask an owner or admin.`,
    { requiredScope: 'pii:read' },
  )
}
