import { randomBytes } from 'node:crypto'
import { writeAudited } from '../audit/audit.ts'
import { AppError, invalidField } from '../contract/app-error.ts'
import { allows } from '../contract/scopes.ts'
import { optionsOf } from '../events/publish-event.ts'
import { normaliseHost } from '../lib/guarded-http/address-guard.ts'
import type { Runtime } from '../runtime.ts'
import { touchKeyEpoch } from '../store/accounts/api-keys.ts'
import { updateConnection } from '../store/connections/connections.ts'
import { verifyRelay } from '../store/connections/relays.ts'
import type { Unit } from '../store/engine/unit.ts'
import { cancelWaiting, endDeliveries, moveWaiting } from '../store/webhooks/deliveries.ts'
import { forgiveWebhook } from '../store/webhooks/webhook-states.ts'
import {
  deleteWebhookState,
  deleteWebhook as dropWebhook,
  findWebhook,
  insertWebhook,
  insertWebhookState,
  updateWebhook,
  type WebhookRow,
} from '../store/webhooks/webhooks.ts'
import { openSecret, sealSecret } from '../webhooks/delivery/deliver-relay.ts'
import { checkCallbackUrl } from '../webhooks/register-webhook.ts'
import { askForHandshake, type By, entryOf, type StoredConnection } from './connection.ts'

export type CallbackAddress = {
  url: string
  /** Made here where the tool has none of its own. */
  verifyToken?: string | null
  /** Null: as before. */
  fields?: readonly string[] | null
}

type Setting = By & {
  /** Whether the handshake has to succeed for the address to be stored at all, as at Meta. */
  strict?: boolean
  /** A person answers for the address: nothing is asked. */
  waive?: boolean
  /** The tool itself asks, with its token: only hosts that a person has entered are possible. */
  byTool?: boolean
}

type SetCallback = { verifyToken: string; verified: boolean; problem: string | null }

/**
 * Sets where the tool is told. Nothing goes there before the address has shown that it knows the verify token; what was
 * under way to the address before does not go to the new one.
 */
export async function setCallback(
  rt: Runtime,
  stored: StoredConnection,
  { url, verifyToken: given, fields }: CallbackAddress,
  { strict = false, waive = false, byTool = false, ...by }: Setting,
): Promise<SetCallback> {
  const { row, key } = stored
  const { account_id: accountId } = row
  await checkCallbackUrl(rt, accountId, url)
  const options = optionsOf(row.options)
  const host = normaliseHost(new URL(url).hostname)
  if (byTool) requireAllowed(stored, options.hosts, host)
  const verifyToken = given ?? knownToken(rt, stored) ?? randomBytes(16).toString('hex')
  const before = row.relay_id === null ? null : await relayOf(rt, accountId, row.relay_id)
  const isKnown = before?.url === url && before.verification === 'verified' && knownToken(rt, stored) === verifyToken
  const problem = isKnown || waive ? null : await askForHandshake(rt, { accountId, url, verifyToken })
  if (strict && problem !== null) throw handshakeFailed(problem)
  const now = rt.clock.now()
  const relayId = before?.id ?? rt.newId('whk')
  const state = isKnown ? {} : stateAfter(problem, now)
  const after: WebhookRow = { ...(before ?? newRelay(rt, accountId, relayId)), url, ...state, updated_at: now }
  const hosts = byTool ? options.hosts : [...new Set([...options.hosts, host])]
  const changed = {
    ...row,
    relay_id: relayId,
    verify_token: sealSecret(rt, row, 'verify_token', verifyToken),
    options: JSON.stringify({ ...options, hosts, ...(fields ? { fields } : {}) }),
    updated_at: now,
  }
  const entry = {
    ...entryOf(stored, by, 'connection.callback_set'),
    metadata: { host, verified: problem === null, waived: waive },
  }
  await writeAudited(rt, entry, (unit) => {
    unit.add(updateConnection, changed)
    unit.add(touchKeyEpoch, { id: key.id })
    if (before) unit.add(updateWebhook, after)
    else {
      unit.add(insertWebhook, after)
      unit.add(insertWebhookState, { webhook_id: relayId })
    }
    if (before && before.url !== url) leave(rt, unit, relayId)
  })
  rt.relayMemory.forget(accountId)
  return { verifyToken, verified: problem === null, problem }
}

/** Asks the address again; `waive`: a person answers for it, and nothing is asked. */
export async function verifyCallback(
  rt: Runtime,
  stored: StoredConnection,
  { waive = false, ...by }: By & { waive?: boolean },
): Promise<void> {
  const { row } = stored
  const relay = await requireRelay(rt, stored)
  const verifyToken = knownToken(rt, stored) ?? ''
  const { account_id: accountId } = row
  const problem = waive ? null : await askForHandshake(rt, { accountId, url: relay.url, verifyToken })
  if (problem !== null) throw handshakeFailed(problem)
  const entry = { ...entryOf(stored, by, 'connection.callback_verified'), metadata: { waived: waive } }
  await writeAudited(rt, entry, (unit) => {
    unit.add(verifyRelay, { id: relay.id, url: relay.url, now: rt.clock.now() })
    unit.add(forgiveWebhook, { webhook_id: relay.id })
  })
  rt.relayMemory.forget(accountId)
}

/** Callbacks that arrive while it is paused are skipped, and can be replayed. */
export async function pauseCallback(rt: Runtime, stored: StoredConnection, by: By): Promise<void> {
  const relay = await requireRelay(rt, stored)
  const now = rt.clock.now()
  const paused = { ...relay, active: 0, disabled_at: now, disabled_reason: 'paused', updated_at: now }
  await writeAudited(rt, entryOf(stored, by, 'connection.callback_paused'), (unit) => {
    unit.add(updateWebhook, paused)
    unit.add(moveWaiting, { webhook_id: relay.id, status: 'skipped' })
    endDeliveries(unit, rt.store.engine)
  })
}

/** Of an address that was verified: after a pause, or after the gateway gave it up. */
export async function resumeCallback(rt: Runtime, stored: StoredConnection, by: By): Promise<void> {
  const relay = await requireRelay(rt, stored)
  if (relay.verification !== 'verified') throw handshakeFailed(relay.verification_error ?? 'It was never asked.')
  const resumed = { ...relay, active: 1, disabled_at: null, disabled_reason: null, updated_at: rt.clock.now() }
  await writeAudited(rt, entryOf(stored, by, 'connection.callback_resumed'), (unit) => {
    unit.add(updateWebhook, resumed)
    unit.add(forgiveWebhook, { webhook_id: relay.id })
  })
}

/** The tool is told nothing more. */
export async function removeCallback(
  rt: Runtime,
  stored: StoredConnection,
  { byTool = false, ...by }: By & Pick<Setting, 'byTool'>,
): Promise<void> {
  const { row, key } = stored
  if (byTool) requireMaySet(stored)
  if (row.relay_id === null) return
  await writeAudited(rt, entryOf(stored, by, 'connection.callback_removed'), (unit) => {
    unit.add(updateConnection, { ...row, relay_id: null, verify_token: null, updated_at: rt.clock.now() })
    unit.add(touchKeyEpoch, { id: key.id })
    addRelayEnd(rt, unit, row)
  })
  rt.relayMemory.forget(row.account_id)
}

/** The remains of a relay whose connection no longer has a callback address. */
export function addRelayEnd(rt: Runtime, unit: Unit, row: { account_id: string; relay_id: string | null }): void {
  if (row.relay_id === null) return
  unit.add(dropWebhook, { id: row.relay_id, account_id: row.account_id })
  unit.add(deleteWebhookState, { webhook_id: row.relay_id })
  leave(rt, unit, row.relay_id)
}

function leave(rt: Runtime, unit: Unit, relayId: string): void {
  unit.add(cancelWaiting, { webhook_id: relayId })
  endDeliveries(unit, rt.store.engine)
}

async function relayOf(rt: Runtime, accountId: string, id: string) {
  const [row] = await rt.store.read(findWebhook, { id, account_id: accountId })
  return row ?? null
}

async function requireRelay(rt: Runtime, { row }: StoredConnection) {
  const relay = row.relay_id === null ? null : await relayOf(rt, row.account_id, row.relay_id)
  if (relay) return relay
  throw new AppError('connection_callback_missing', 'This connection has no callback address yet.')
}

function knownToken(rt: Runtime, { row }: StoredConnection): string | null {
  return row.verify_token === null ? null : openSecret(rt, row, 'verify_token', row.verify_token)
}

/** A stolen token must not lead customers' words elsewhere. */
function requireAllowed(stored: StoredConnection, hosts: readonly string[], host: string): void {
  requireMaySet(stored)
  if (hosts.includes('*') || hosts.includes(host)) return
  throw invalidField('url', 'invalid_value', `The host ${host} is not in the list of this connection.`)
}

function requireMaySet({ key }: StoredConnection): void {
  if (!allows(JSON.parse(key.scopes) as string[], 'webhooks:write')) {
    const message = 'The connection lacks the scope webhooks:write.'
    throw new AppError('insufficient_scope', message, { requiredScope: 'webhooks:write' })
  }
}

function handshakeFailed(problem: string): AppError {
  return new AppError('connection_handshake_failed', problem)
}

/** An address that did not pass is off: nothing waits for it. */
function stateAfter(problem: string | null, now: number) {
  const isVerified = problem === null
  return {
    active: isVerified ? 1 : 0,
    verification: isVerified ? 'verified' : 'failed',
    verified_at: isVerified ? now : null,
    verification_error: problem,
    disabled_at: null,
    disabled_reason: null,
  }
}

const maxInFlight = 16

function newRelay(rt: Runtime, accountId: string, id: string): WebhookRow {
  const now = rt.clock.now()
  return {
    id,
    account_id: accountId,
    kind: 'relay',
    url: '',
    events: '  ',
    masked: 0,
    active: 0,
    description: null,
    max_in_flight: Math.min(rt.config.webhookConcurrencyPerEndpointMax, maxInFlight),
    max_per_second: null,
    secret: null,
    previous_secret: null,
    previous_secret_until: null,
    verification: 'failed',
    verified_at: null,
    verification_error: null,
    verification_attempts: 0,
    verification_due_at: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: now,
    updated_at: now,
    revision: 1,
  }
}
