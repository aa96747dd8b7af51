import { entryBy, type Member } from '../access/console-member.ts'
import { type AuditContext, writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { AttemptSource, SignInLimit } from '../limits/sign-in.ts'
import type { Runtime } from '../runtime.ts'
import { requireCredentials } from '../store/accounts/people.ts'
import { confirmSession, deleteSession } from '../store/accounts/setup-links.ts'
import { enterMember, findUser, findUserByEmail, type UserRow } from '../store/accounts/users.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { unitOf } from '../store/engine/unit.ts'
import { ownEntry } from './own-entry.ts'
import { passwordMatches } from './passwords.ts'
import { addSession } from './sessions.ts'
import { withTwoFactor } from './with-two-factor.ts'

type SignIn = {
  email: string
  password: string
  /** Of the second factor; null when the page has not asked for it yet. */
  code: string | null
  context: AuditContext
  source: AttemptSource
  replaces: Member | null
}

/**
 * A person without a password and an unknown address get the same sentence after the same time as a wrong password.
 * Whether there is a second factor is told to nobody before the password was right.
 */
export async function signIn(rt: Runtime, limit: SignInLimit, input: SignIn): Promise<string> {
  if (!rt.config.passwordSignIn) throw passwordsOff()
  const email = normaliseEmail(input.email)
  const { context, replaces, source } = input
  const attempt = await limit.attempt(email, source)
  const [user] = await rt.store.read(findUserByEmail, { email })
  const asker = source.browser === null ? 'stranger' : 'known'
  const checked = passwordMatches(rt, asker, input.password, user?.password_hash ?? null)
  if (!(await checked.catch(attempt.withdraw)) || !user) {
    throw refuse(rt, user, context)
  }
  if (user.joined_at === null) throw nowhere()
  if (user.two_factor_since !== null && input.code === null) {
    await attempt.takeBack()
    throw new AppError('two_factor_required', 'Enter the code from your authenticator app, or a recovery code.')
  }
  const { id, person_id, password_hash, two_factor_since } = user
  let token = ''
  const written = withTwoFactor(rt, limit, { user, code: input.code, context, source }, (proof) =>
    writeAudited(rt, [ownEntry(user, 'session.signed_in', context), ...proof.entries], (unit) => {
      // The check took a while: a password that was changed in it opens nothing any more.
      unit.add(requireCredentials, { id: person_id, password_hash: password_hash ?? '', two_factor_since })
      unit.add(enterMember, { id, now: rt.clock.now() })
      proof.addTo(unit)
      token = addSession(rt, unit, user, context)
      if (replaces) unit.add(deleteSession, sessionOf(replaces))
    }),
  )
  await written.catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error
    if (error.operation === requireCredentials.name) throw refuse(rt, user, context)
    throw error.operation === enterMember.name ? nowhere() : error
  })
  await limit.succeeded(email, source)
  rt.metrics.consoleLogins.inc({ outcome: 'ok' })
  return token
}

/** Told to nobody before the password was right. */
function nowhere(): AppError {
  return new AppError(
    'invalid_credentials',
    'You are no longer a member of any account. Open your invite link, or ask an owner for one.',
  )
}

function sessionOf({ sessionId, accountId, personId }: Member) {
  return { id: sessionId, account_id: accountId, person_id: personId }
}

function refuse(rt: Runtime, user: UserRow | undefined, context: AuditContext): AppError {
  rt.metrics.consoleLogins.inc({ outcome: 'failed' })
  if (user) noteFailure(rt, user, context)
  return new AppError('invalid_credentials', 'Email or password is wrong.')
}

/** Nobody waits for it: the time a write takes would tell that there is such a person. */
function noteFailure(rt: Runtime, user: UserRow, context: AuditContext): void {
  writeAudited(rt, ownEntry(user, 'session.sign_in_failed', context), () => {}).catch((error: unknown) =>
    rt.log.error({ err: error, user_id: user.id, account_id: user.account_id }, 'audit.not_written'),
  )
}

/** The password once more, before an irreversible act; good for five minutes. */
export async function confirmPassword(
  rt: Runtime,
  limit: SignInLimit,
  member: Member,
  password: string,
): Promise<void> {
  await requirePassword(rt, limit, member, password)
  await rt.store.write(unitOf(confirmSession, { id: member.sessionId, now: rt.clock.now() }))
}

/** The user behind a session, whose password was just proved again. */
export async function requirePassword(
  rt: Runtime,
  limit: SignInLimit,
  member: Member,
  password: string,
): Promise<UserRow> {
  const { user, succeeded } = await provePassword(rt, limit, member, password)
  await succeeded()
  return user
}

/** The same where more than the password is proved: the attempt counts until `succeeded` is called. */
export async function provePassword(rt: Runtime, limit: SignInLimit, member: Member, password: string) {
  if (!rt.config.passwordSignIn) throw passwordsOff()
  const { context, userId, personId } = member
  // The session stands for the browser: attempts of strangers at the same address do not count here.
  const source = { browser: member.sessionId, ip: context.ip ?? '', addressKnown: true }
  const attempt = await limit.attempt(personId, source)
  const [user] = await rt.store.read(findUser, { id: userId })
  const checked = passwordMatches(rt, 'known', password, user?.password_hash ?? null)
  if (!(await checked.catch(attempt.withdraw)) || !user) {
    await writeAudited(rt, entryBy(member, 'session.confirmation_failed'), () => {})
    throw new AppError('invalid_credentials', 'The password is wrong.')
  }
  return { user, source, succeeded: () => limit.succeeded(personId, source) }
}

export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

export function passwordsOff(): AppError {
  return new AppError('password_sign_in_off', 'This installation allows sign-in only through its provider.')
}
