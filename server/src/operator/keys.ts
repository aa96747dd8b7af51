import { numberIdsOf, toApiKey } from '../access/keys/api-key.ts'
import { revokeKey as revoke, rotateKey as rotate } from '../access/keys/console-keys.ts'
import { createKey as create } from '../access/keys/create-key.ts'
import { issueLocalToken } from '../access/tokens/issue-token.ts'
import { createTokenAuthority, rotateSigningKey } from '../access/tokens/token-codec.ts'
import { operator } from '../audit/audit.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { type ApiKeyRow, findApiKeyAnywhere, listApiKeys } from '../store/accounts/api-keys.ts'
import { listSigningKeys } from '../store/accounts/tokens.ts'
import { findOwner, listUsers } from '../store/accounts/users.ts'

/** API keys of any account, and the keys that sign tokens. */
export type StoredKey = ApiKeyRow

type NewKey = Omit<Parameters<typeof create>[1], 'createdBy' | 'actor'>

/** In the name of the owner of its account. */
export async function createKey(rt: Runtime, input: NewKey) {
  const [owner] = await rt.store.read(findOwner, { account_id: input.accountId })
  const { row, secret } = await create(rt, { ...input, createdBy: owner?.id ?? '', actor: operator })
  return { stored: row, secret }
}

/** Without the keys of connections. */
export async function listKeys(rt: Runtime, accountId: string) {
  const rows = await rt.store.read(listApiKeys, { account_id: accountId })
  return rows.filter(({ kind }) => kind === 'key').map((row) => describeKey(rt, row))
}

/** By its id or its public half. */
export async function findKey(rt: Runtime, id: string): Promise<StoredKey | null> {
  const [row] = await rt.store.read(findApiKeyAnywhere, { id })
  return row?.kind === 'key' ? row : null
}

export function rotateKey(rt: Runtime, stored: StoredKey, { overlapMs }: { overlapMs: number }) {
  return rotate(rt, stored, operator, { overlapMs })
}

export async function revokeKey(rt: Runtime, stored: StoredKey) {
  await revoke(rt, stored, operator)
  return toApiKey({ ...stored, status: 'revoked' }, rt.clock.now())
}

export function describeKey(rt: Runtime, stored: StoredKey) {
  return { ...toApiKey(stored, rt.clock.now()), phone_number_ids: numberIdsOf(stored) }
}

/** For commands on this machine, which nobody gave a key. */
export async function issueTokenHere(rt: Runtime, accountId: string) {
  const [owner] = await rt.store.read(listUsers, { account_id: accountId })
  return issueLocalToken(rt, createTokenAuthority(rt), { accountId, createdBy: owner?.id ?? '' })
}

export async function rotateSigningKeys(rt: Runtime) {
  await rotateSigningKey(rt)
  const rows = await rt.store.read(listSigningKeys, {})
  return rows.map(({ kid, status, created_at }) => ({ kid, status, created_at: formatInstant(created_at) }))
}
