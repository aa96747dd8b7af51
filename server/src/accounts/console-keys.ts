import { AppError, validationFailed } from '../contract/app-error.ts'
import type { Scope } from '../contract/scopes.ts'
import { formatInstant, parseInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { type ApiKeyRow, findApiKey, listApiKeys } from '../store/api-keys.ts'
import { ConditionFailed } from '../store/store-error.ts'
import { listUsers } from '../store/users.ts'
import { toApiKey } from './api-key.ts'
import { changeKey, revokeKey, rotateKey } from './change-key.ts'
import { actorOf, type Member } from './console-member.ts'
import { createKey, toAddressList } from './create-key.ts'

export type KeyInput = { name: string; scopes: Scope[]; allowed_ips?: string[] | null | undefined }

/** Newest first; the names of their makers beside them. */
export async function describeKeys(rt: Runtime, member: Member) {
  const rows = await rt.store.read(listApiKeys, { account_id: member.accountId })
  const names = await namesOf(rt, member.accountId)
  return rows.reverse().map((row) => describe(rt, row, names))
}

export async function createKeyFor(
  rt: Runtime,
  member: Member,
  input: KeyInput & { expires_at?: string | null | undefined },
) {
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
  return { key: describe(rt, row, new Map([[member.userId, member.name]])), api_secret: secret }
}

export async function rotateKeyFor(rt: Runtime, member: Member, keyId: string) {
  const row = await findLivingKey(rt, member, keyId)
  const { secret } = await unlessChanged(rotateKey(rt, row, actorOf(member), { context: member.context }))
  return { key: await describeKey(rt, member, keyId), api_secret: secret }
}

export async function changeAccess(rt: Runtime, member: Member, keyId: string, input: KeyInput) {
  const row = await findLivingKey(rt, member, keyId)
  const change = {
    name: input.name.trim(),
    scopes: JSON.stringify(input.scopes),
    allowed_ips: input.allowed_ips ? JSON.stringify(checked(input.allowed_ips)) : null,
  }
  const audit = { action: 'api_key.access_changed', actor: actorOf(member), context: member.context }
  await unlessChanged(changeKey(rt, row, change, audit))
  return describeKey(rt, member, keyId)
}

export async function revokeKeyFor(rt: Runtime, member: Member, keyId: string) {
  const row = await findLivingKey(rt, member, keyId)
  await unlessChanged(revokeKey(rt, row, actorOf(member), member.context))
  return describeKey(rt, member, keyId)
}

async function describeKey(rt: Runtime, member: Member, keyId: string) {
  const [row] = await rt.store.read(findApiKey, { account_id: member.accountId, id: keyId })
  if (!row) throw noSuchKey()
  return describe(rt, row, await namesOf(rt, member.accountId))
}

async function findLivingKey(rt: Runtime, member: Member, keyId: string): Promise<ApiKeyRow> {
  const [row] = await rt.store.read(findApiKey, { account_id: member.accountId, id: keyId })
  if (!row) throw noSuchKey()
  if (row.status === 'revoked') throw new AppError('validation_failed', 'This API key was revoked. Create a new one.')
  return row
}

function describe(rt: Runtime, row: ApiKeyRow, names: ReadonlyMap<string, string>) {
  const now = rt.clock.now()
  const until = row.previous_secret_until
  return {
    ...toApiKey(row, now),
    created_by: names.get(row.created_by) ?? null,
    previous_secret_until: until !== null && until > now ? formatInstant(until) : null,
  }
}

async function namesOf(rt: Runtime, accountId: string): Promise<Map<string, string>> {
  const users = await rt.store.read(listUsers, { account_id: accountId })
  return new Map(users.map(({ id, name }) => [id, name]))
}

function readExpiry(rt: Runtime, text: string | null): number | null {
  if (text === null) return null
  const at = parseInstant(text)
  if (at !== null && at > rt.clock.now()) return at
  const message = 'Give a moment in the future, for example 2027-01-01T00:00:00Z.'
  throw validationFailed([{ field: 'expires_at', location: 'body', code: 'invalid_value', message }])
}

function checked(ranges: string[]): string[] {
  const wrong = ranges.findIndex((range) => !isAddressOrRange(range))
  if (wrong < 0) return ranges
  const message = 'Write an address or a range, for example 203.0.113.7 or 203.0.113.0/24.'
  throw validationFailed([{ field: `allowed_ips[${wrong}]`, location: 'body', code: 'invalid_value', message }])
}

function isAddressOrRange(range: string): boolean {
  try {
    toAddressList([range])
    return true
  } catch {
    return false
  }
}

async function unlessChanged<T>(change: Promise<T>): Promise<T> {
  try {
    return await change
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('validation_failed', 'Somebody else changed this API key just now. Look again, then repeat.')
  }
}

function noSuchKey(): AppError {
  return new AppError('endpoint_not_found', 'There is no such API key.')
}
