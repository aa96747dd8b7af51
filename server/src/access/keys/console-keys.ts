import { type Actor, type AuditContext, type AuditEntry, writeAudited } from '../../audit/audit.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import { plans } from '../../contract/plans.ts'
import { isPersonal, type Scope } from '../../contract/scopes.ts'
import { dayMs, hourMs } from '../../lib/durations.ts'
import { formatInstant, parseInstant } from '../../lib/instant.ts'
import { type Gate, startOfDay, startOfHour, type Window } from '../../limits/quota.ts'
import type { Runtime } from '../../runtime.ts'
import { type ApiKeyRow, findApiKey, listApiKeys, sumKeyCalls, updateApiKey } from '../../store/accounts/api-keys.ts'
import { readUsage } from '../../store/accounts/quotas.ts'
import { listUsers } from '../../store/accounts/users.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { findMediaUsage } from '../../store/media/media.ts'
import { seesPeople } from '../caller.ts'
import { actorOf, type Member, personalDataRefused } from '../console-member.ts'
import { secretMac, toApiKey } from './api-key.ts'
import { createKey, requireAddresses } from './create-key.ts'
import { newApiSecret } from './credentials.ts'

/** Whole hours before the running one. */
const hoursCounted = 23

type KeyInput = { name: string; scopes: Scope[]; allowed_ips?: string[] | null | undefined }

/** Newest first; the names of their makers beside them. */
export async function describeKeys(rt: Runtime, member: Member) {
  const all = await rt.store.read(listApiKeys, { account_id: member.accountId })
  const rows = all.filter(({ kind }) => kind === 'key')
  const extras = await readExtras(rt, member.accountId)
  return rows.reverse().map((row) => describe(rt, row, extras))
}

export async function createKeyFor(
  rt: Runtime,
  member: Member,
  input: KeyInput & { expires_at?: string | null | undefined },
) {
  requireMayGrant(member, input.scopes)
  const { row, secret } = await createKey(rt, {
    accountId: member.accountId,
    name: input.name.trim(),
    scopes: input.scopes,
    expiresAt: readExpiry(rt, input.expires_at ?? null),
    allowedIps: input.allowed_ips ?? null,
    createdBy: member.userId,
    actor: actorOf(member),
    context: member.context,
  })
  const extras = { names: new Map([[member.userId, member.name]]), calls: new Map<string, number>() }
  return { key: describe(rt, row, extras), api_secret: secret }
}

export async function rotateKeyFor(rt: Runtime, member: Member, keyId: string) {
  const row = await findLivingKey(rt, member, keyId)
  // The member who rotates gets the secret.
  requireMayGrant(member, JSON.parse(row.scopes) as Scope[])
  const { secret } = await unlessChanged(rotateKey(rt, row, actorOf(member), { context: member.context }))
  return { key: await describeKey(rt, member, keyId), api_secret: secret }
}

export async function changeAccess(rt: Runtime, member: Member, keyId: string, input: KeyInput) {
  const row = await findLivingKey(rt, member, keyId)
  if (input.allowed_ips) requireAddresses(input.allowed_ips)
  const change = {
    name: input.name.trim(),
    scopes: JSON.stringify(input.scopes),
    allowed_ips: input.allowed_ips ? JSON.stringify(input.allowed_ips) : null,
  }
  const before = JSON.parse(row.scopes) as Scope[]
  const added = input.scopes.filter((scope) => !before.includes(scope))
  // Other addresses are other holders: they get all that the key has.
  requireMayGrant(member, change.allowed_ips === row.allowed_ips ? added : input.scopes)
  const audit = { action: 'api_key.access_changed', actor: actorOf(member), context: member.context }
  await unlessChanged(changeKey(rt, row, change, audit))
  return describeKey(rt, member, keyId)
}

export async function revokeKeyFor(rt: Runtime, member: Member, keyId: string) {
  const row = await findLivingKey(rt, member, keyId)
  await unlessChanged(revokeKey(rt, row, actorOf(member), member.context))
  return describeKey(rt, member, keyId)
}

/** A key would show what the console masks. */
export function requireMayGrant(member: Member, scopes: readonly Scope[]): void {
  const personal = scopes.find(isPersonal)
  if (personal && !seesPeople(member)) throw personalDataRefused(member, `hold a key with the scope ${personal}`)
}

async function describeKey(rt: Runtime, member: Member, keyId: string) {
  const [row] = await rt.store.read(findApiKey, { account_id: member.accountId, id: keyId })
  if (!row) throw noSuchKey()
  return describe(rt, row, await readExtras(rt, member.accountId))
}

async function findLivingKey(rt: Runtime, member: Member, keyId: string): Promise<ApiKeyRow> {
  const [row] = await rt.store.read(findApiKey, { account_id: member.accountId, id: keyId })
  if (row?.kind !== 'key') throw noSuchKey()
  if (row.status === 'revoked') throw new AppError('api_key_revoked', 'This API key was revoked. Create a new one.')
  return row
}

/** Names of makers by user, and calls of the last 24 hours by key. */
type Extras = { names: ReadonlyMap<string, string>; calls: ReadonlyMap<string, number> }

function describe(rt: Runtime, row: ApiKeyRow, { names, calls }: Extras) {
  const now = rt.clock.now()
  const until = row.previous_secret_until
  return {
    ...toApiKey(row, now),
    created_by: names.get(row.created_by) ?? null,
    calls_24h: calls.get(row.id) ?? 0,
    previous_secret_until: until !== null && until > now ? formatInstant(until) : null,
  }
}

async function readExtras(rt: Runtime, accountId: string): Promise<Extras> {
  const since = startOfHour(rt.clock.now()) - hoursCounted * hourMs
  const [users, counts] = await Promise.all([
    rt.store.read(listUsers, { account_id: accountId }),
    rt.store.read(sumKeyCalls, { account_id: accountId, since }),
  ])
  return {
    names: new Map(users.map(({ id, name }) => [id, name])),
    calls: new Map(counts.map(({ key_id, calls }) => [key_id, calls])),
  }
}

function readExpiry(rt: Runtime, text: string | null): number | null {
  if (text === null) return null
  const at = parseInstant(text)
  if (at !== null && at > rt.clock.now()) return at
  const message = 'Give a moment in the future, for example 2027-01-01T00:00:00Z.'
  throw invalidField('expires_at', 'invalid_value', message)
}

async function unlessChanged<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError(
      'concurrent_change',
      'This API key has just been changed by someone else. Reload it, then try again.',
    )
  }
}

function noSuchKey(): AppError {
  return new AppError('api_key_not_found', 'This API key does not exist.')
}

const hoursShown = 24
const daysShown = 30

/** Current usage of the plan. */
export async function describeLimits(gate: Gate, { accountId, plan }: Member) {
  const [hour = null, day = null] = (await gate.peek(accountId, plan))?.windows ?? []
  return { hour: hour && toLimit(hour), day: day && toLimit(day) }
}

/** The plan, what is left of it, and how it was used: 24 hours and 30 days, gaps as zero. */
export async function describeUsage(rt: Runtime, gate: Gate, member: Member) {
  const now = rt.clock.now()
  const firstHour = startOfHour(now) - (hoursShown - 1) * hourMs
  const firstDay = startOfDay(now) - (daysShown - 1) * dayMs
  const rows = await rt.store.read(readUsage, { account_id: member.accountId, since: firstDay })
  const [usage] = await rt.store.read(findMediaUsage, { account_id: member.accountId })
  const sum = (from: number, lengthMs: number) =>
    rows.reduce((total, row) => total + (row.hour_start >= from && row.hour_start < from + lengthMs ? row.used : 0), 0)
  const buckets = (first: number, lengthMs: number, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const start = first + index * lengthMs
      return { start: formatInstant(start), used: sum(start, lengthMs) }
    })
  return {
    plan: member.plan,
    limits: await describeLimits(gate, member),
    media_bytes: { quota: plans[member.plan].mediaBytes, used: usage?.bytes ?? 0 },
    hours: buckets(firstHour, hourMs, hoursShown),
    days: buckets(firstDay, dayMs, daysShown),
  }
}

function toLimit({ quota, used, resetsAt }: Window) {
  return { quota, used: Math.min(used, quota), resets_at: formatInstant(resetsAt) }
}

const overlapDefaultMs = dayMs

/** A second secret begins; the first goes on for the overlap, so that a deployment can follow in its own time. */
export async function rotateKey(
  rt: Runtime,
  row: ApiKeyRow,
  actor: Actor,
  { overlapMs = overlapDefaultMs, context }: { overlapMs?: number; context?: AuditContext } = {},
): Promise<{ secret: string; previousSecretUntil: number }> {
  const secret = newApiSecret()
  const previousSecretUntil = rt.clock.now() + overlapMs
  const change = {
    secret_mac: await secretMac(rt, secret),
    previous_secret_mac: row.secret_mac,
    previous_secret_until: previousSecretUntil,
  }
  await changeKey(rt, row, change, { action: 'api_key.rotated', actor, context })
  return { secret, previousSecretUntil }
}

/** Kills every token of the key at the next request, on every node. */
export async function revokeKey(rt: Runtime, row: ApiKeyRow, actor: Actor, context?: AuditContext): Promise<void> {
  await changeKey(rt, row, { status: 'revoked' }, { action: 'api_key.revoked', actor, context })
}

export async function changeKey(
  rt: Runtime,
  row: ApiKeyRow,
  change: Partial<ApiKeyRow>,
  audit: Pick<AuditEntry, 'action' | 'actor' | 'context'>,
): Promise<void> {
  const targets = [{ type: 'api_key', id: row.id, name: row.name }]
  await writeAudited(rt, { accountId: row.account_id, targets, ...audit }, (unit) =>
    unit.add(updateApiKey, { ...row, ...change }),
  )
}
