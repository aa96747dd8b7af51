import type { BlockList } from 'node:net'
import { type Actor, type AuditContext, type AuditEntry, writeAudited } from '../../audit/audit.ts'
import { invalidField } from '../../contract/app-error.ts'
import type { Scope } from '../../contract/scopes.ts'
import { isRange, rangesOf } from '../../lib/guarded-http/address-guard-ranges.ts'
import { compactPhone } from '../../lib/phone.ts'
import type { Runtime } from '../../runtime.ts'
import { type ApiKeyRow, insertApiKey } from '../../store/accounts/api-keys.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
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
