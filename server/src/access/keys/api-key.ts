import { createHmac } from 'node:crypto'
import type { AuditContext, Author } from '../../audit/audit.ts'
import type { Scope } from '../../contract/scopes.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { type ApiKeyRow, findApiKey } from '../../store/accounts/api-keys.ts'
import type { Caller } from '../caller.ts'

/** `connection`: the token of a tool that speaks Meta's dialect. It opens nothing under /v1, and a key nothing else. */
export type KeyKind = 'key' | 'connection'

/** A key as people see it; the secret is in none of its fields. */
export function toApiKey(row: ApiKeyRow, now: number) {
  const expired = row.expires_at !== null && row.expires_at <= now
  return {
    id: row.id,
    key: row.public_key,
    name: row.name,
    scopes: JSON.parse(row.scopes) as Scope[],
    status: row.status === 'active' && expired ? ('expired' as const) : (row.status as 'active' | 'revoked'),
    created_at: formatInstant(row.created_at),
    expires_at: formatInstant(row.expires_at),
    allowed_ips: row.allowed_ips === null ? null : (JSON.parse(row.allowed_ips) as string[]),
    last_used_at: formatInstant(row.last_used_at),
    last_used_ip: row.last_used_ip,
  }
}

/** The numbers a key is limited to; null: it may use all. */
export function numberIdsOf(row: Pick<ApiKeyRow, 'phone_number_ids'>): string[] | null {
  return row.phone_number_ids === null ? null : (JSON.parse(row.phone_number_ids) as string[])
}

/** 256 random bits need no slow hash; the pepper makes a stolen table worthless. */
export async function secretMac(rt: Runtime, secret: string): Promise<string> {
  const pepper = await rt.pepper()
  return createHmac('sha256', pepper).update(secret).digest('base64url')
}

/** A program as the author of a change, under the name its key had at that time. */
export async function keyAuthor(
  rt: Runtime,
  { accountId, keyId }: Pick<Caller, 'accountId' | 'keyId'>,
  context: AuditContext,
): Promise<Author> {
  const [key] = await rt.store.read(findApiKey, { account_id: accountId, id: keyId })
  return { actor: { type: 'api_key', id: keyId, name: key?.name ?? keyId }, context }
}

const needed: Scope = 'messages:send'

/** A waiting send is sent only while its key could still request it. Sends by a person have no key. */
export async function mayStillSend(
  rt: Runtime,
  { account_id, key_id }: { account_id: string; key_id: string | null },
): Promise<boolean> {
  if (key_id === null) return true
  const [row] = await rt.store.read(findApiKey, { account_id, id: key_id })
  if (!row) return false
  const { status, scopes } = toApiKey(row, rt.clock.now())
  return status === 'active' && scopes.includes(needed)
}
