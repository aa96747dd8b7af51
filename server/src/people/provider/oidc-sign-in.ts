import { entryBy, type Member } from '../../access/console-member.ts'
import { type AuditContext, type AuditEntry, writeAudited } from '../../audit/audit.ts'
import { AppError } from '../../contract/app-error.ts'
import { minuteMs } from '../../lib/durations.ts'
import type { OidcIdentity } from '../../lib/oidc.ts'
import type { AttemptSource, SignInLimit } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import {
  deleteIdentity,
  findFlow,
  findIdentity,
  findIdentityOf,
  insertFlow,
  insertIdentity,
  requireIdentity,
  takeFlow,
} from '../../store/accounts/identities.ts'
import { claimPerson, findAnyJoined, findPerson, type PersonRow } from '../../store/accounts/people.ts'
import { confirmSession, useSetupLink } from '../../store/accounts/setup-links.ts'
import { requireNoTwoFactor, spendRecoveryCode, spendTwoFactorStep } from '../../store/accounts/two-factor.ts'
import {
  enterMember,
  findUserByEmail,
  findUserOfPerson,
  listAccountsOf,
  type UserRow,
} from '../../store/accounts/users.ts'
import { ConditionFailed, UniqueViolation } from '../../store/engine/store-error.ts'
import { type Unit, unitOf } from '../../store/engine/unit.ts'
import { ownEntry } from '../own-entry.ts'
import { addSession, hashToken, sessionIdleMs } from '../sessions.ts'
import { openLinkByHash } from '../setup-link.ts'
import { addJoin } from '../setup-owner.ts'
import { type Proof, withTwoFactor } from '../with-two-factor.ts'
import { OidcProblemError, type Proven } from './oidc-flow.ts'

type Asker = { browser: string; context: AuditContext; member: Member | null }
/** A session was opened; a code is asked for first; or what was asked for is done. */
type Entered = { kind: 'session'; token: string } | { kind: 'code' } | { kind: 'done' }

/** Who comes, how they become known if they are not yet, and what is spent on the way. */
type Entry = { user: UserRow; identity: OidcIdentity; isNew: boolean; invitation: Invitation | null }
type Invitation = {
  tokenHash: string
  user: UserRow
  person: PersonRow
  claims: { name: string; email: string } | null
}

/** `withTwoFactor` reports their rejections. */
const codeOperations = [spendRecoveryCode.name, spendTwoFactorStep.name]
const codeLifeMs = 5 * minuteMs

/**
 * A person is the same subject of the same issuer. They are linked once: by an invitation, by themselves while signed in,
 * or by a verified address in a domain that the operator allowed, which makes nobody an owner or operator.
 */
export async function enterByOidc(rt: Runtime, proven: Proven, asker: Asker): Promise<Entered> {
  switch (proven.purpose) {
    case 'link':
      return linkSelf(rt, proven, asker)
    case 'confirm':
      return confirmSelf(rt, proven, asker)
    case 'invite':
    case 'enter':
      return open(rt, proven, asker)
  }
}

function decide(rt: Runtime, proven: Proven): Promise<Entry> {
  return proven.purpose === 'invite' ? takeUpInvitation(rt, proven) : findOrLink(rt, proven.identity)
}

async function findOrLink(rt: Runtime, identity: OidcIdentity): Promise<Entry> {
  const [known] = await rt.store.read(findIdentity, identity)
  const [user] = known
    ? await rt.store.read(findUserOfPerson, { person_id: known.person_id })
    : identity.email === null
      ? []
      : await rt.store.read(findUserByEmail, { email: identity.email.toLowerCase() })
  if (!user || user.joined_at === null) throw new OidcProblemError('unknown')
  if (!known) await requireLinkable(rt, identity, user)
  return { user, identity, isNew: !known, invitation: null }
}

/** An address is a claim: it links members below owner, in domains that the operator named. */
async function requireLinkable(rt: Runtime, { email }: OidcIdentity, user: UserRow): Promise<void> {
  const domain = email?.split('@').at(-1)?.toLowerCase() ?? ''
  const isAllowed = rt.config.oidcDomains.some((one) => one.toLowerCase() === domain)
  if (!isAllowed || email?.toLowerCase() !== user.email) throw new OidcProblemError('unknown')
  const accounts = await rt.store.read(listAccountsOf, { person_id: user.person_id })
  if (user.operator !== null || accounts.some(({ role }) => role === 'owner')) throw new OidcProblemError('privileged')
}

async function takeUpInvitation(rt: Runtime, { bound, identity }: Proven): Promise<Entry> {
  const tokenHash = bound ?? ''
  const { user, purpose } = await openLinkByHash(rt, tokenHash)
  if (purpose === 'reset' || purpose === 'enter') throw new OidcProblemError('rejected')
  const [known] = await rt.store.read(findIdentity, identity)
  const [invited] = await rt.store.read(findPerson, { id: user.person_id })
  const [person] = known ? await rt.store.read(findPerson, { id: known.person_id }) : [invited]
  if (!invited || !person) throw new OidcProblemError('unknown')
  const signsInAlready = invited.password_hash !== null || invited.joined > 0
  // The inviter may open the link too: it gives nobody the sign-in of a person who has one.
  if (known && person.id !== invited.id && signsInAlready) throw new OidcProblemError('other_person')
  if (!known && signsInAlready) await requireLinkable(rt, identity, { ...user, email: invited.email })
  const isUnmet = !known && !signsInAlready
  const email = user.email ?? identity.email?.toLowerCase() ?? null
  if (isUnmet && email === null) throw new OidcProblemError('no_address')
  const claims = isUnmet
    ? { name: user.email === null ? (identity.name ?? user.name) : user.name, email: email ?? '' }
    : null
  const member = { ...asPerson(user, person), ...claims }
  return { user: member, identity, isNew: !known, invitation: { tokenHash, user, person, claims } }
}

function asPerson(
  user: UserRow,
  { id, name, email, two_factor_secret, two_factor_since, two_factor_step, operator }: PersonRow,
) {
  return { ...user, person_id: id, name, email, two_factor_secret, two_factor_since, two_factor_step, operator }
}

/** With a second factor of ours, the code is asked for here too: what is proven waits in this browser for it. */
async function open(rt: Runtime, proven: Proven, { browser, context }: Asker): Promise<Entered> {
  const entry = await decide(rt, proven)
  if (entry.user.two_factor_since === null) {
    const { person_id: id } = entry.user
    const proof: Proof = { addTo: (unit) => void unit.add(requireNoTwoFactor, { id }), entries: [] }
    return { kind: 'session', token: await write(rt, entry, context, proof) }
  }
  const { purpose, bound, returnTo: return_to, identity } = proven
  const hashes = { state_hash: hashToken(`code ${browser}`), browser_hash: hashToken(browser) }
  const flow = { ...hashes, purpose, bound, return_to, nonce: JSON.stringify(identity), verifier: '' }
  await rt.store.write(unitOf(insertFlow, { ...flow, expires_at: rt.clock.now() + codeLifeMs }))
  return { kind: 'code' }
}

type CodeStep = { browser: string; code: string; context: AuditContext; sourceOf(email: string): AttemptSource }

/** The code of a person whom the provider has just named. Wrong ones count as at the sign-in. */
export async function enterWithCode(rt: Runtime, limit: SignInLimit, { browser, code, context, sourceOf }: CodeStep) {
  const hashes = { state_hash: hashToken(`code ${browser}`), browser_hash: hashToken(browser) }
  const [flow] = await rt.store.read(findFlow, { ...hashes, now: rt.clock.now() })
  if (!flow) throw codeStepOver()
  const { purpose, bound, return_to: returnTo, nonce } = flow
  const proven = { purpose: purpose as Proven['purpose'], bound, returnTo, identity: JSON.parse(nonce) as OidcIdentity }
  const entry = await decide(rt, proven)
  const { user } = entry
  const source = sourceOf(user.email ?? '')
  await limit.attempt(user.email ?? '', source)
  const token = await withTwoFactor(rt, limit, { user, code, context, source }, (proof) =>
    write(rt, entry, context, {
      entries: proof.entries,
      addTo(unit) {
        unit.add(takeFlow, { ...hashes, now: rt.clock.now() })
        proof.addTo(unit)
      },
    }),
  )
  await limit.succeeded(user.email ?? '', source)
  return token
}

async function write(rt: Runtime, entry: Entry, context: AuditContext, proof: Proof): Promise<string> {
  const { user, identity, isNew, invitation } = entry
  const now = rt.clock.now()
  const { issuer, subject } = identity
  const lines: [AuditEntry, ...AuditEntry[]] = [
    { ...ownEntry(user, invitation ? 'member.joined' : 'session.signed_in', context), metadata: { by: issuer } },
    ...(isNew ? [{ ...ownEntry(user, 'identity.linked', context), metadata: { issuer } }] : []),
    ...proof.entries,
  ]
  let token = ''
  try {
    await writeAudited(rt, lines, (unit) => {
      proof.addTo(unit)
      if (invitation) addInvitation(rt, unit, invitation)
      if (isNew) unit.add(insertIdentity, { issuer, subject, person_id: user.person_id, linked_at: now })
      else unit.add(requireIdentity, { issuer, subject, person_id: user.person_id })
      if (!invitation) unit.add(enterMember, { id: user.id, now })
      // The provider may have asked for nothing: what needs a recent sign-in asks again.
      token = addSession(rt, unit, user, context, { expiresAt: now + sessionIdleMs, confirmedAt: 0 })
    })
  } catch (error) {
    if (error instanceof UniqueViolation) throw new OidcProblemError('taken')
    if (!(error instanceof ConditionFailed) || codeOperations.includes(error.operation)) throw error
    if (error.operation === takeFlow.name) throw codeStepOver()
    // It was turned on just now: the next sign-in asks for the code.
    throw new OidcProblemError(error.operation === requireNoTwoFactor.name ? 'rejected' : 'unknown')
  }
  rt.metrics.consoleLogins.inc({ outcome: 'ok' })
  return token
}

function addInvitation(rt: Runtime, unit: Unit, { tokenHash, user, person, claims }: Invitation): void {
  const now = rt.clock.now()
  unit.add(useSetupLink, { token_hash: tokenHash, now })
  if (claims) unit.add(claimPerson, { id: person.id, ...claims, now })
  addJoin(rt, unit, { user, person })
}

async function linkSelf(rt: Runtime, { bound, identity }: Proven, { member }: Asker): Promise<Entered> {
  if (!member || member.sessionId !== bound) throw new OidcProblemError('rejected')
  const { issuer, subject } = identity
  const row = { issuer, subject, person_id: member.personId, linked_at: rt.clock.now() }
  const entry = { ...entryBy(member, 'identity.linked'), metadata: { issuer } }
  await writeAudited(rt, entry, (unit) => unit.add(insertIdentity, row)).catch((error: unknown) => {
    throw error instanceof UniqueViolation ? new OidcProblemError('taken') : error
  })
  return { kind: 'done' }
}

/** In the place of the password before an irreversible act. */
async function confirmSelf(rt: Runtime, { bound, identity }: Proven, { member }: Asker): Promise<Entered> {
  if (!member || member.sessionId !== bound) throw new OidcProblemError('rejected')
  const [own] = await rt.store.read(findIdentityOf, { person_id: member.personId })
  if (own?.issuer !== identity.issuer || own.subject !== identity.subject) throw new OidcProblemError('other_person')
  await rt.store.write(unitOf(confirmSession, { id: member.sessionId, now: rt.clock.now() }))
  return { kind: 'done' }
}

function codeStepOver(): AppError {
  return new AppError('invalid_credentials', 'This sign-in took too long. Start again.')
}

/** Only by a person who can still sign in afterwards. */
export async function removeIdentity(rt: Runtime, member: Member): Promise<void> {
  const [person] = await rt.store.read(findPerson, { id: member.personId })
  if (!rt.config.passwordSignIn || person?.password_hash === null) {
    throw new AppError('password_sign_in_off', 'You have no other way to sign in.')
  }
  const [identity] = await rt.store.read(findIdentityOf, { person_id: member.personId })
  if (!identity) return
  const entry = { ...entryBy(member, 'identity.unlinked'), metadata: { issuer: identity.issuer } }
  await writeAudited(rt, entry, (unit) => unit.add(deleteIdentity, { person_id: member.personId }))
}

/** The sign-in options, shown before anyone is signed in. */
export async function describeWays(rt: Runtime) {
  const [found] = await rt.store.read(findAnyJoined, {})
  return {
    password: rt.config.passwordSignIn,
    provider: rt.oidc === null ? null : new URL(rt.oidc.issuer).host,
    mail: rt.mailer !== null && rt.config.passwordSignIn,
    set_up: found !== undefined,
  }
}
