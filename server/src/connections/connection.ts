import { randomBytes, randomInt } from 'node:crypto'
import { numberIdsOf } from '../access/keys/api-key.ts'
import type { Actor, AuditContext, AuditEntry } from '../audit/audit.ts'
import type { ConnectionOptions, Tool } from '../contract/connections.ts'
import type { callbackStates } from '../contract/console/connections.ts'
import { optionsOf } from '../events/publish-event.ts'
import { formatInstant } from '../lib/instant.ts'
import { requireCheckLimit } from '../limits/throttles.ts'
import type { Runtime } from '../runtime.ts'
import { type ApiKeyRow, findApiKey } from '../store/accounts/api-keys.ts'
import { connectedNumbers } from '../store/channels/numbers.ts'
import { type ConnectionRow, findConnectionOfApp, findConnectionOfKey } from '../store/connections/connections.ts'
import { findWebhook, type WebhookWithState } from '../store/webhooks/webhooks.ts'
import { openSecret } from '../webhooks/delivery/deliver-relay.ts'

/** The actor of a change, for the audit log. */
export type By = { actor: Actor; context?: AuditContext }

export type StoredConnection = { row: ConnectionRow; key: ApiKeyRow }

/** The line of the audit log about a change of a connection. */
export function entryOf({ row, key }: StoredConnection, by: By, action: string): AuditEntry {
  return { accountId: row.account_id, action, actor: by.actor, context: by.context, targets: [target(row, key)] }
}

export function target(row: ConnectionRow, key: ApiKeyRow) {
  return { type: 'connection', id: row.id, name: key.name }
}

/** To a tool what an app is at Meta, with its secret opened. Never logged. */
export type Connection = {
  readonly id: string
  readonly accountId: string
  readonly keyId: string
  readonly appId: string
  readonly appSecret: string
  readonly tool: Tool
  readonly options: ConnectionOptions
}

export async function connectionOfKey(rt: Runtime, keyId: string): Promise<Connection | null> {
  const [row] = await rt.store.read(findConnectionOfKey, { key_id: keyId })
  return row ? openConnection(rt, row) : null
}

export async function connectionOfApp(rt: Runtime, appId: string): Promise<Connection | null> {
  const [row] = await rt.store.read(findConnectionOfApp, { app_id: appId })
  return row ? openConnection(rt, row) : null
}

export function openConnection(rt: Runtime, row: ConnectionRow): Connection {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    appId: row.app_id,
    appSecret: openSecret(rt, row, 'app_secret', row.app_secret),
    tool: row.tool as Tool,
    options: optionsOf(row.options),
  }
}

/** 32 hexadecimal digits, as those of Meta. */
export function newAppSecret(): string {
  return randomBytes(16).toString('hex')
}

const appIdDigits = 15

/** As long as those of Meta, and below 2^53: there are clients that keep it as a number. */
export function newAppId(): string {
  const digits = Array.from({ length: appIdDigits - 1 }, () => randomInt(10))
  return `9${digits.join('')}`
}

type CallbackState = (typeof callbackStates)[number]

/** The values to enter in a tool, except its token. */
export async function describeConnection(rt: Runtime, { row, key }: StoredConnection) {
  const { id, appId, appSecret, tool, options } = openConnection(rt, row)
  const allowed = numberIdsOf(key)
  const connected = await rt.store.read(connectedNumbers, { account_id: row.account_id })
  const numbers = connected.filter((number) => allowed === null || allowed.includes(number.id))
  return {
    id,
    name: key.name,
    tool,
    address: `${rt.urls.base}/graph`,
    app_id: appId,
    app_secret: appSecret,
    numbers: numbers.map(({ id: numberId, phone_number, phone_number_id, waba_id }) => ({
      id: numberId,
      phone_number,
      phone_number_id,
      waba_id,
    })),
    scopes: JSON.parse(key.scopes) as string[],
    options,
    callback: await describeCallback(rt, row),
    created_at: formatInstant(row.created_at),
    last_used_at: formatInstant(key.last_used_at),
    token_in_address_since: formatInstant(row.token_in_address_at),
  }
}

/** The callback address and whether it works; null if there is none. */
export async function describeCallback(rt: Runtime, { account_id, relay_id }: StoredConnection['row']) {
  const [relay] = relay_id === null ? [] : await rt.store.read(findWebhook, { id: relay_id, account_id })
  return relay
    ? {
        webhook_id: relay.id,
        url: relay.url,
        state: stateOf(relay),
        problem: relay.verification_error,
        verified_at: formatInstant(relay.verified_at),
        last_delivered_at: formatInstant(relay.last_triggered),
      }
    : null
}

function stateOf({ active, verification, disabled_reason: reason, failing_since }: WebhookWithState): CallbackState {
  if (verification !== 'verified') return 'unverified'
  if (active === 0) return (reason ?? 'paused') as CallbackState
  return failing_since === null ? 'active' : 'failing'
}

/** The response to inspecting a token, as the platform would give it. */
export async function describeToken(rt: Runtime, { id, accountId, keyId, appId }: Connection) {
  const [key] = await rt.store.read(findApiKey, { account_id: accountId, id: keyId })
  const allowed = key ? numberIdsOf(key) : []
  const connected = await rt.store.read(connectedNumbers, { account_id: accountId })
  const usable = connected.filter((number) => allowed === null || allowed.includes(number.id))
  const wabaIds = [...new Set(usable.map(({ waba_id }) => waba_id))]
  return { id, appId, name: key?.name ?? id, expiresAt: key?.expires_at ?? null, wabaIds }
}

const timeoutMs = 10_000
const replyBytesMax = 1_024

type Asked = { accountId: string; url: string; verifyToken: string }

/**
 * Asks an address whether it knows the verify token, once: some tools answer the second time that they do not. Null: it
 * does.
 */
export async function askForHandshake(rt: Runtime, { accountId, url, verifyToken }: Asked): Promise<string | null> {
  await requireCheckLimit(rt, accountId)
  const { relay } = rt.platform
  // Ten digits: there are tools that keep the challenge as a number.
  const challenge = String(randomInt(1_000_000_000, 10_000_000_000))
  const outcome = await rt.deliverRelay.open({
    method: 'GET',
    url: relay.handshakeUrl(new URL(url), { verifyToken, challenge }),
    headers: { 'user-agent': 'Postern-Webhooks/1.0', accept: '*/*' },
    headersMs: timeoutMs,
    idleMs: timeoutMs,
  })
  if (outcome.kind === 'failure') return `${outcome.code}: ${outcome.message}`
  const { statusCode } = outcome
  const reply = await readReply(outcome.body).catch(() => null)
  if (statusCode < 200 || statusCode > 299) return `The tool responded to the handshake with status ${statusCode}.`
  if (reply === null) return 'The response to the handshake ended too early.'
  return relay.isHandshakeReply(reply, challenge)
    ? null
    : 'The response to the handshake was not the value of the challenge.'
}

async function readReply(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > replyBytesMax) break
  }
  return Buffer.concat(chunks).subarray(0, replyBytesMax).toString('utf8')
}
