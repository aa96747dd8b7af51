import { type AuditContext, writeAudited } from '../audit/audit.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import type { Role } from '../contract/console/roles.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { AttemptSource, SignInLimit } from '../limits/sign-in.ts'
import { requireWithinLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { deleteSessionsOfUser } from '../store/accounts/sessions.ts'
import {
  endSetupLinks,
  findSetupLink,
  findUser,
  insertSetupLink,
  takeOverUser,
  useSetupLink,
} from '../store/accounts/users.ts'
import { ConditionFailed, UniqueViolation } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { ownEntry } from './own-entry.ts'
import { hashPassword, requireUncommonPassword } from './passwords.ts'
import { addSession, hashToken, newToken } from './sessions.ts'
import { normaliseEmail } from './sign-in.ts'
import { withTwoFactor } from './with-two-factor.ts'

export type LinkPurpose = 'owner' | 'invite' | 'reset'

/** A first-run link is read from a terminal at once; an invitation travels by mail. */
const lifeMs: Record<LinkPurpose, number> = { owner: hourMs, invite: 7 * dayMs, reset: hourMs }

/** Adds a one-time link to a unit and gives its address, which is stored nowhere. Older links of the person end. */
export function addSetupLink(
  rt: Runtime,
  unit: Unit,
  userId: string,
  purpose: LinkPurpose,
): { link: string; expiresAt: number } {
  const token = newToken()
  const now = rt.clock.now()
  const expiresAt = now + lifeMs[purpose]
  unit.add(endSetupLinks, { user_id: userId, now })
  unit.add(insertSetupLink, { token_hash: hashToken(token), user_id: userId, purpose, expires_at: expiresAt })
  return { link: `${rt.urls.console}/setup#token=${token}`, expiresAt }
}

/** What the page behind a link needs to ask the right questions. */
export async function describeSetupLink(rt: Runtime, token: string) {
  const { link, user } = await openLink(rt, token)
  const [account] = await rt.store.read(findAccount, { id: user.account_id })
  return {
    purpose: purposeOf(link.purpose),
    account_name: account?.name ?? '',
    // The record of an owner nobody has met yet is called "Owner".
    name: user.email === null ? null : user.name,
    email: user.email,
    role: user.role as Role,
    two_factor: user.two_factor_since !== null,
    expires_at: formatInstant(link.expires_at),
  }
}

export type Setup = {
  token: string
  name: string
  email: string
  password: string
  /** A forgotten password does not switch the second factor off. */
  code: string | null
  context: AuditContext
  /** Where the attempts of a person come from. Asked for the person behind the link, whatever address the request names. */
  sourceOf(email: string): AttemptSource
}

/** A person takes over the record behind a link, and is signed in. The link is spent in the same unit. */
export async function completeSetup(rt: Runtime, limit: SignInLimit, input: Setup): Promise<string> {
  const { user, link } = await openLink(rt, input.token)
  const { id, account_id, two_factor_since } = user
  const { code, context } = input
  const name = input.name.trim()
  const email = user.email ?? normaliseEmail(input.email)
  const source = input.sourceOf(email)
  if (user.email === null) {
    const sentence = 'Too many attempts with this link. Wait, then try again.'
    requireWithinLimit(rt.throttles.invitations, account_id, rt.clock.now(), sentence)
  }
  requireUncommonPassword('password', input.password, { name, email })
  const isGuarded = two_factor_since !== null
  if (isGuarded && code === null) throw codeMissing()
  if (isGuarded) await limit.attempt(email, source)
  const person = { name, email, password_hash: await hashPassword(rt, input.password) }
  const now = rt.clock.now()
  const action = { owner: 'owner.set_up', invite: 'member.joined', reset: 'member.password_reset' }[
    purposeOf(link.purpose)
  ]
  const entry = ownEntry({ ...user, name }, action, context)
  let session = ''
  try {
    await withTwoFactor(rt, limit, { user, code, context, source }, (proof) =>
      writeAudited(rt, [entry, ...proof.entries], (unit) => {
        proof.addTo(unit)
        unit.add(useSetupLink, { token_hash: hashToken(input.token), now })
        unit.add(takeOverUser, { id, account_id, ...person, two_factor_since, now })
        unit.add(deleteSessionsOfUser, { user_id: id, keep_id: '' })
        session = addSession(rt, unit, { ...user, ...person }, context)
      }),
    )
  } catch (error) {
    // Who is removed loses the link too, so what is left is a second factor that is another one now.
    if (error instanceof ConditionFailed && error.operation === takeOverUser.name) throw codeMissing()
    if (error instanceof ConditionFailed) throw spentLink()
    if (error instanceof UniqueViolation && error.table === 'users') throw emailTaken()
    throw error
  }
  if (isGuarded) await limit.succeeded(email, source)
  return session
}

async function openLink(rt: Runtime, token: string) {
  const [link] = await rt.store.read(findSetupLink, { token_hash: hashToken(token) })
  const [user] = link ? await rt.store.read(findUser, { id: link.user_id }) : []
  if (!link || !user || link.used_at !== null || link.expires_at <= rt.clock.now()) throw spentLink()
  return { link, user }
}

function purposeOf(text: string): LinkPurpose {
  return text === 'invite' || text === 'reset' ? text : 'owner'
}

function codeMissing(): AppError {
  return new AppError('two_factor_required', 'Also enter the code from your authenticator app, or a recovery code.')
}

function spentLink(): AppError {
  return new AppError(
    'setup_link_invalid',
    'This link was already used or has expired. Ask an owner or the operator of the gateway for a new one.',
  )
}

export function emailTaken(): AppError {
  const message = 'This email address is already in use.'
  return invalidField('email', 'duplicate', message)
}
