import { createHash, randomBytes } from 'node:crypto'
import { entryBy, type Member } from '../access/console-member.ts'
import { type AuditContext, writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import type { Role } from '../contract/console/roles.ts'
import type { Plan } from '../contract/plans.ts'
import { dayMs, hourMs, minuteMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import {
  deleteSession,
  deleteSessionsOfPerson,
  expireSessions,
  findSession,
  insertSession,
  listSessions,
  touchSession,
} from '../store/accounts/setup-links.ts'
import { enterMember, listAccountsOf, type UserRow } from '../store/accounts/users.ts'
import type { RowOf } from '../store/engine/operation.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { type Unit, unitOf } from '../store/engine/unit.ts'

export const sessionIdleMs = 12 * hourMs
export const sessionLifeMs = 7 * dayMs
const touchEveryMs = minuteMs

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

type SessionOf = Pick<UserRow, 'id' | 'account_id' | 'person_id'>
/** Of the session that a person leaves for one in another account: a switch is no sign-in. */
type Since = { expiresAt: number; confirmedAt: number }

/** A session begins with every sign-in; an id is never taken over from before it. */
export function addSession(rt: Runtime, unit: Unit, user: SessionOf, context: AuditContext, since?: Since): string {
  const token = newToken()
  const now = rt.clock.now()
  unit.add(expireSessions, { idle_before: now - sessionIdleMs, now })
  unit.add(insertSession, {
    id: rt.newId('ses'),
    token_hash: hashToken(token),
    person_id: user.person_id,
    user_id: user.id,
    account_id: user.account_id,
    ip: context.ip,
    user_agent: context.user_agent,
    created_at: now,
    last_seen_at: now,
    expires_at: since?.expiresAt ?? now + sessionLifeMs,
    confirmed_at: since?.confirmedAt ?? now,
  })
  return token
}

/** The person of a session cookie; null if it is unknown, idle for 12 hours, or older than 7 days. */
export async function findMember(rt: Runtime, token: string, context: AuditContext): Promise<Member | null> {
  const [row] = await rt.store.read(findSession, { token_hash: hashToken(token) })
  const now = rt.clock.now()
  if (!row || row.expires_at <= now || row.last_seen_at + sessionIdleMs <= now) return null
  return {
    sessionId: row.id,
    personId: row.person_id,
    userId: row.user_id,
    name: row.user_name,
    email: row.user_email,
    role: row.user_role as Role,
    accountId: row.account_id,
    accountName: row.account_name,
    plan: row.account_plan as Plan,
    accountStatus: row.account_status,
    twoFactor: twoFactorOf(row),
    twoFactorRequired: row.two_factor_required_at !== null,
    operator: row.operator !== null,
    confirmedAt: row.confirmed_at,
    expiresAt: row.expires_at,
    endsAt: Math.min(row.expires_at, row.last_seen_at + sessionIdleMs),
    extendable: row.last_seen_at + sessionIdleMs < row.expires_at,
    context,
  }
}

/** A session that was open before the account required it goes on, for 7 days at most. */
function twoFactorOf(row: RowOf<(typeof findSession)['returns']>): Member['twoFactor'] {
  if (row.two_factor_since !== null) return 'on'
  const isRequired = row.two_factor_required_at !== null && row.created_at >= row.two_factor_required_at
  return isRequired ? 'setup_required' : 'off'
}

/** Keeps a session from going idle. Once a minute is enough. */
export async function noteActivity(rt: Runtime, { sessionId, endsAt }: Member): Promise<void> {
  const now = rt.clock.now()
  if (endsAt - now > sessionIdleMs - touchEveryMs) return
  await rt.store.tally(unitOf(touchSession, { id: sessionId, now }))
}

/** Of the account for those who manage members; for everybody, their own in all accounts. */
export async function describeSessions(rt: Runtime, member: Member, whose: 'own' | 'all') {
  const now = rt.clock.now()
  const rows = await rt.store.read(listSessions, {
    account_id: member.accountId,
    all: whose === 'all' ? 1 : 0,
    person_id: member.personId,
    idle_before: now - sessionIdleMs,
    now,
  })
  return rows.map((row) => ({
    id: row.id,
    user_id: row.user_id,
    user_name: row.user_name,
    account_name: row.account_name,
    current: row.id === member.sessionId,
    ip: row.ip,
    user_agent: row.user_agent,
    created_at: formatInstant(row.created_at),
    last_seen_at: formatInstant(row.last_seen_at),
  }))
}

/** Effective at the next request on every node: sessions live in the database only. */
export async function revokeSession(rt: Runtime, member: Member, sessionId: string): Promise<void> {
  const session = { type: 'session', id: sessionId, name: 'session' }
  await writeAudited(rt, entryBy(member, 'session.revoked', session), (unit) => {
    unit.add(deleteSession, { id: sessionId, account_id: member.accountId, person_id: member.personId })
  })
}

export async function revokeOtherSessions(rt: Runtime, member: Member): Promise<void> {
  await writeAudited(rt, entryBy(member, 'session.others_revoked'), (unit) => {
    unit.add(deleteSessionsOfPerson, { person_id: member.personId, keep_id: member.sessionId })
  })
}

export async function signOut(rt: Runtime, member: Member): Promise<void> {
  const { accountId, sessionId, personId } = member
  await writeAudited(rt, entryBy(member, 'session.signed_out'), (unit) =>
    unit.add(deleteSession, { id: sessionId, account_id: accountId, person_id: personId }),
  )
}

/**
 * The person goes on in another of their accounts. It is another session: pages that still show the account before find
 * theirs gone, and what the other account requires of a sign-in holds for it.
 */
export async function switchAccount(rt: Runtime, member: Member, accountId: string): Promise<string> {
  const accounts = await rt.store.read(listAccountsOf, { person_id: member.personId })
  const other = accounts.find(({ account_id }) => account_id === accountId)
  if (!other) throw new AppError('account_not_found', 'You are not a member of this account.')
  const { user_id: id, account_id } = other
  const user = { id, account_id, person_id: member.personId }
  const person = { type: 'user', id, name: member.name } as const
  const entry = { accountId, action: 'session.entered', actor: person, targets: [person], context: member.context }
  let token = ''
  try {
    await writeAudited(rt, entry, (unit) => {
      unit.add(enterMember, { id, now: rt.clock.now() })
      unit.add(deleteSession, { id: member.sessionId, account_id: member.accountId, person_id: member.personId })
      token = addSession(rt, unit, user, member.context, member)
    })
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('account_not_found', 'You were just removed from this account.')
  }
  return token
}
