import { type AuditContext, operator, writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { Role } from '../contract/console/roles.ts'
import { formatInstant } from '../lib/instant.ts'
import type { AttemptSource, SignInLimit } from '../limits/sign-in.ts'
import { requireWithinLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import {
  countMembers,
  deleteIfAlone,
  findPerson,
  findPersonByEmail,
  type PersonRow,
  requireCredentials,
  takeOverPerson,
} from '../store/accounts/people.ts'
import { deleteSessionsOfPerson, endResetLinks, useSetupLink } from '../store/accounts/setup-links.ts'
import { joinMember, moveMember, type UserRow } from '../store/accounts/users.ts'
import { ConditionFailed, UniqueViolation } from '../store/engine/store-error.ts'
import type { Unit } from '../store/engine/unit.ts'
import { alreadyMember, type UserWithLink } from './create-user.ts'
import { ownEntry } from './own-entry.ts'
import { hashPassword, passwordMatches, requireUncommonPassword } from './passwords.ts'
import { addSession, hashToken, sessionIdleMs } from './sessions.ts'
import { addSetupLink, type LinkPurpose, openLink, spentLink } from './setup-link.ts'
import { normaliseEmail, passwordsOff } from './sign-in.ts'
import { withTwoFactor } from './with-two-factor.ts'

/**
 * The data for the page behind a link. An invitation looks the same for a person who signs in to
 * other accounts already: the inviter may open it too.
 */
export async function describeSetupLink(rt: Runtime, token: string) {
  const { link, user, purpose } = await openLink(rt, token)
  const [account] = await rt.store.read(findAccount, { id: user.account_id })
  return {
    purpose,
    account_name: account?.name ?? '',
    // The record of an owner nobody has met yet is called "Owner".
    name: user.email === null ? null : user.name,
    email: user.email,
    role: user.role as Role,
    two_factor: (purpose === 'reset' || purpose === 'enter') && user.two_factor_since !== null,
    expires_at: formatInstant(link.expires_at),
  }
}

type Setup = {
  token: string
  name: string
  email: string
  password: string
  /** A forgotten password does not switch the second factor off. */
  code: string | null
  context: AuditContext
  /** The origin of a person's attempts, for the person behind the link, whatever address the request names. */
  sourceOf(email: string): AttemptSource
}

type Opened = {
  user: UserRow
  purpose: Exclude<LinkPurpose, 'enter'>
  person: PersonRow
  email: string
  source: AttemptSource
}

/**
 * A person takes over the record behind a link, or joins with the sign-in they have, and is signed in. The link is spent in
 * the same unit.
 */
export async function completeSetup(rt: Runtime, limit: SignInLimit, input: Setup): Promise<string> {
  const { user, purpose } = await openLink(rt, input.token)
  if (purpose === 'enter') throw spentLink()
  if (!rt.config.passwordSignIn) throw passwordsOff()
  const email = user.email ?? normaliseEmail(input.email)
  if (user.email === null) {
    const sentence = 'Too many attempts with this link. Wait, then try again.'
    await requireWithinLimit(rt, 'invitation', user.account_id, sentence)
  }
  const [holder] = user.email === null ? await rt.store.read(findPersonByEmail, { email }) : []
  const [person] = holder ? [holder] : await rt.store.read(findPerson, { id: user.person_id })
  if (!person) throw spentLink()
  const opened = { user, purpose, person, email, source: input.sourceOf(email) }
  const signsIn = person.password_hash !== null || person.joined > 0
  try {
    return await (purpose !== 'reset' && signsIn
      ? joinAs(rt, limit, input, opened)
      : takeOver(rt, limit, input, opened))
  } catch (error) {
    if (error instanceof UniqueViolation && error.table === 'members') throw alreadyMember()
    if (!(error instanceof UniqueViolation && error.table === 'people')) throw error
    throw new AppError('concurrent_change', 'This sign-in has just been changed by another request. Try again.')
  }
}

/** By a person without sign-in, or with a link to a new password. */
async function takeOver(rt: Runtime, limit: SignInLimit, input: Setup, opened: Opened): Promise<string> {
  const { user, person, purpose, email, source } = opened
  const { code, context } = input
  const name = input.name.trim()
  requireUncommonPassword('password', input.password, { name, email })
  const isGuarded = purpose === 'reset' && person.two_factor_since !== null
  if (isGuarded && code === null) throw codeMissing()
  if (isGuarded) await limit.attempt(email, source)
  const now = rt.clock.now()
  const sealed = { name, email, password_hash: await hashPassword(rt, input.password) }
  const change = {
    ...{ id: person.id, ...sealed, two_factor_since: person.two_factor_since },
    ...{ only_new: purpose === 'reset' ? 0 : 1, now },
  }
  const action = { owner: 'owner.set_up', invite: 'member.joined', reset: 'member.password_reset' }[purpose]
  let session = ''
  try {
    await withTwoFactor(rt, limit, { user: asPerson(user, person), code, context, source }, (proof) =>
      writeAudited(rt, [ownEntry({ ...user, name }, action, context), ...proof.entries], (unit) => {
        proof.addTo(unit)
        unit.add(useSetupLink, { token_hash: hashToken(input.token), now })
        unit.add(takeOverPerson, change)
        unit.add(endResetLinks, { person_id: person.id, now })
        unit.add(deleteSessionsOfPerson, { person_id: person.id, keep_id: '' })
        addJoin(rt, unit, opened)
        session = addSession(rt, unit, { ...user, person_id: person.id }, context)
      }),
    )
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    if (error.operation !== takeOverPerson.name) throw spentLink()
    // A second factor, or a password through another invitation, that was set meanwhile.
    throw purpose === 'reset' ? codeMissing() : passwordWrong()
  }
  if (isGuarded) await limit.succeeded(email, source)
  return session
}

/** By a person who signs in already: an invitation is taken up with the password and the second factor they have. */
async function joinAs(rt: Runtime, limit: SignInLimit, input: Setup, opened: Opened): Promise<string> {
  const { user, person, email, source } = opened
  const { code, context } = input
  const attempt = await limit.attempt(email, source)
  const asker = source.browser === null ? 'stranger' : 'known'
  const checked = passwordMatches(rt, asker, input.password, person.password_hash)
  if (!(await checked.catch(attempt.withdraw))) {
    rt.metrics.consoleLogins.inc({ outcome: 'failed' })
    throw passwordWrong()
  }
  if (person.two_factor_since !== null && code === null) {
    await attempt.takeBack()
    throw codeMissing()
  }
  const { id, password_hash, two_factor_since } = person
  const member = { ...asPerson(user, person), name: person.name }
  let session = ''
  try {
    await withTwoFactor(rt, limit, { user: member, code, context, source }, (proof) =>
      writeAudited(rt, [ownEntry(member, 'member.joined', context), ...proof.entries], (unit) => {
        proof.addTo(unit)
        unit.add(useSetupLink, { token_hash: hashToken(input.token), now: rt.clock.now() })
        unit.add(requireCredentials, { id, password_hash: password_hash ?? '', two_factor_since })
        addJoin(rt, unit, opened)
        session = addSession(rt, unit, member, context)
      }),
    )
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw error.operation === requireCredentials.name ? passwordWrong() : spentLink()
  }
  await limit.succeeded(email, source)
  return session
}

/** The record behind the link becomes a member of the person, unless it is one already. */
export function addJoin(rt: Runtime, unit: Unit, { user, person }: Pick<Opened, 'user' | 'person'>): void {
  if (user.joined_at !== null) return
  const isMoved = user.person_id !== person.id
  unit.add(joinMember, { id: user.id, now: rt.clock.now() })
  unit.add(countMembers, { id: person.id, accounts: isMoved ? 1 : 0, joined: 1 })
  if (!isMoved) return
  unit.add(moveMember, { id: user.id, person_id: person.id })
  unit.add(countMembers, { id: user.person_id, accounts: -1, joined: 0 })
  unit.add(deleteIfAlone, { id: user.person_id })
}

/** The member with the factors of the person who is about to become it. */
function asPerson(user: UserRow, { id, email, password_hash, ...person }: PersonRow): UserRow {
  const { two_factor_secret, two_factor_since, two_factor_step } = person
  return { ...user, person_id: id, email, password_hash, two_factor_secret, two_factor_since, two_factor_step }
}

function codeMissing(): AppError {
  return new AppError('two_factor_required', 'Also enter the code from your authenticator app, or a recovery code.')
}

function passwordWrong(): AppError {
  return new AppError(
    'invalid_credentials',
    'The password is wrong. If you already sign in with this address, enter your existing password.',
  )
}

type LinkEntry = Pick<Setup, 'token' | 'code' | 'context'> & { source(email: string): AttemptSource }

/**
 * By a link of the operator, when neither password nor provider opens the console. The second factor is asked for still.
 */
export async function enterByLink(rt: Runtime, limit: SignInLimit, { token, code, context, source }: LinkEntry) {
  const { user, purpose } = await openLink(rt, token)
  if (purpose !== 'enter' || user.joined_at === null) throw spentLink()
  const isGuarded = user.two_factor_since !== null
  if (isGuarded && code === null) throw codeMissing()
  const place = source(user.email ?? '')
  if (isGuarded) await limit.attempt(user.email ?? '', place)
  let session = ''
  try {
    await withTwoFactor(rt, limit, { user, code, context, source: place }, (proof) =>
      writeAudited(rt, [ownEntry(user, 'session.entered_by_link', context), ...proof.entries], (unit) => {
        proof.addTo(unit)
        unit.add(useSetupLink, { token_hash: hashToken(token), now: rt.clock.now() })
        const until = rt.clock.now() + sessionIdleMs
        session = addSession(rt, unit, user, context, { expiresAt: until, confirmedAt: rt.clock.now() })
      }),
    )
  } catch (error) {
    throw error instanceof ConditionFailed ? spentLink() : error
  }
  if (isGuarded) await limit.succeeded(user.email ?? '', place)
  return session
}

/** A new link for an owner record that nobody has taken over yet; the one before stops working. */
export async function renewOwnerLink(rt: Runtime, owner: UserRow): Promise<UserWithLink> {
  const targets = [{ type: 'user', id: owner.id, name: owner.name }]
  const entry = { accountId: owner.account_id, action: 'member.link_renewed', actor: operator, targets }
  let made = { link: '', expiresAt: 0 }
  await writeAudited(rt, { ...entry, metadata: { purpose: 'owner' } }, (unit) => {
    made = addSetupLink(rt, unit, owner.id, 'owner')
  })
  return { user: owner, ...made }
}
