import { timingSafeEqual } from 'node:crypto'
import type { BlockList } from 'node:net'
import { type Actor, type AuditContext, type AuditEntry, writeAudited } from '../../audit/audit.ts'
import { AppError, invalidField } from '../../contract/app-error.ts'
import type { Scope } from '../../contract/scopes.ts'
import { isRange, rangesContain, rangesOf } from '../../lib/guarded-http/address-guard-ranges.ts'
import { compactPhone } from '../../lib/phone.ts'
import type { AttemptLimit } from '../../limits/sign-in.ts'
import type { Runtime } from '../../runtime.ts'
import { type ApiKeyRow, findApiKeyByPublicKey, insertApiKey } from '../../store/accounts/api-keys.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import type { RowOf } from '../../store/engine/operation.ts'
import { type KeyKind, secretMac } from './api-key.ts'
import { newApiSecret, newConnectionCredentials, newPublicKey } from './credentials.ts'

type NewKey = {
  accountId: string
  kind?: KeyKind
  name: string
  scopes: readonly Scope[]
  expiresAt?: number | null
  allowedIps?: readonly string[] | null
  /** Connected numbers it may send from, by id or phone number; null: all of the account, also later ones. */
  numbers?: readonly string[] | null
  createdBy: string
  actor: Actor
  context?: AuditContext
}
type KeyDraft = { row: ApiKeyRow; secret: string }

/** The secret leaves this function once and is stored nowhere. */
export async function createKey(rt: Runtime, input: NewKey): Promise<KeyDraft> {
  const draft = await draftKey(rt, input)
  await writeAudited(rt, keyCreated(draft, input), (unit) => unit.add(insertApiKey, draft.row))
  return draft
}

export async function draftKey(rt: Runtime, input: NewKey): Promise<KeyDraft> {
  const allowedIps = input.allowedIps ?? null
  if (allowedIps) requireAddresses(allowedIps)
  const numberIds = input.numbers ? await requireNumberIds(rt, input.accountId, input.numbers) : null
  const { kind = 'key' } = input
  const { publicKey, secret } =
    kind === 'key' ? { publicKey: newPublicKey(), secret: newApiSecret() } : newConnectionCredentials()
  const row: ApiKeyRow = {
    id: rt.newId('key'),
    account_id: input.accountId,
    kind,
    public_key: publicKey,
    name: input.name,
    scopes: JSON.stringify(input.scopes),
    status: 'active',
    epoch: 1,
    secret_mac: await secretMac(rt, secret),
    previous_secret_mac: null,
    previous_secret_until: null,
    expires_at: input.expiresAt ?? null,
    allowed_ips: allowedIps ? JSON.stringify(allowedIps) : null,
    phone_number_ids: numberIds && JSON.stringify(numberIds),
    created_by: input.createdBy,
    created_at: rt.clock.now(),
    last_used_at: null,
    last_used_ip: null,
    revision: 1,
  }
  return { row, secret }
}

export function keyCreated({ row }: KeyDraft, { accountId, actor, context, scopes }: NewKey): AuditEntry {
  const targets = [{ type: 'api_key', id: row.id, name: row.name }]
  return { accountId, action: 'api_key.created', actor, targets, context, metadata: { scopes } }
}

export function requireAddresses(ranges: readonly string[]): void {
  const wrong = ranges.findIndex((range) => !isAddressOrRange(range))
  if (wrong < 0) return
  throw invalidField(
    `allowed_ips[${wrong}]`,
    'invalid_value',
    'Write an address or a range, for example 203.0.113.7 or 203.0.113.0/24.',
  )
}

/** A zone (`fe80::1%eth0`) means something on one machine only. */
function isAddressOrRange(text: string): boolean {
  return isRange(text) && !text.includes('%')
}

/** Ready to be asked for every request of the key. What is no range lets nobody in: an empty prefix would read as /0. */
export function toAddressList(ranges: readonly string[]): BlockList {
  return rangesOf(ranges.filter(isAddressOrRange))
}

/** The ids of numbers that a key is to be limited to, each named by its id or phone number. */
async function requireNumberIds(rt: Runtime, accountId: string, wanted: readonly string[]): Promise<string[]> {
  const connected = await rt.store.read(connectedNumbers, { account_id: accountId })
  const found = wanted.map((name) =>
    connected.find(({ id, phone_number }) => name === id || plain(name) === phone_number),
  )
  const unknown = found.indexOf(undefined)
  if (unknown < 0) return [...new Set(found.flatMap((number) => number?.id ?? []))]
  throw invalidField(
    `numbers[${unknown}]`,
    'invalid_value',
    'Give connected numbers of the account, by id or phone number. Channels in the console and `postern channels list` show them.',
  )
}

/** People write phone numbers with separators; the stored form has none. */
function plain(name: string): string {
  return compactPhone(name)
}

export type KeyProof = {
  kind?: KeyKind
  apiKey: string
  apiSecret: string
  ip: string
  /** False behind a proxy nobody configured: the address is the proxy's. */
  addressKnown?: boolean
  /** Told whose key was named before anything is proved: a refusal belongs into the log of its owner. */
  onKey?: (claim: KeyClaim) => void
}
export type KeyClaim = { accountId: string; keyId: string }
/** `provedUntil`: when the key expires, or the former secret that was given ends. */
export type ProvedKey = RowOf<(typeof findApiKeyByPublicKey)['returns']> & { provedUntil: number }

const nobody = Buffer.alloc(32).toString('base64url')

/** The key behind its two halves. Unknown key and wrong secret take the same steps and get the same answer. */
export async function proveKey(rt: Runtime, limit: AttemptLimit, proof: KeyProof): Promise<ProvedKey> {
  const { kind = 'key' } = proof
  const [found] = await rt.store.read(findApiKeyByPublicKey, { public_key: proof.apiKey })
  const key = found?.kind === kind ? found : undefined
  if (key) proof.onKey?.({ accountId: key.account_id, keyId: key.id })
  const now = rt.clock.now()
  const given = await secretMac(rt, proof.apiSecret)
  const previous = key?.previous_secret_until && key.previous_secret_until > now ? key.previous_secret_mac : null
  const [isCurrent, isPrevious] = [same(given, key?.secret_mac ?? nobody), same(given, previous ?? nobody)]
  if (!key || !(isCurrent || isPrevious)) {
    const wrong = new AppError('invalid_credentials', 'The API key is unknown or the secret is wrong.')
    const refusal = await limit.failed(proof.apiKey, proof.addressKnown === false ? null : proof.ip, wrong)
    rt.metrics.authFailures.inc({ code: refusal.code })
    throw refusal
  }
  if (key.status !== 'active' || (key.expires_at !== null && key.expires_at <= now)) {
    throw new AppError('api_key_inactive', 'The API key was revoked or has expired.')
  }
  if (key.account_status !== 'active') throw new AppError('account_suspended', 'The account is suspended.')
  if (key.allowed_ips !== null && !rangesContain(toAddressList(JSON.parse(key.allowed_ips) as string[]), proof.ip)) {
    throw new AppError('ip_not_allowed', 'The API key is not allowed from this address.')
  }
  const never = Number.POSITIVE_INFINITY
  const secretUntil = isCurrent ? never : (key.previous_secret_until ?? 0)
  return { ...key, provedUntil: Math.min(key.expires_at ?? never, secretUntil) }
}

function same(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
