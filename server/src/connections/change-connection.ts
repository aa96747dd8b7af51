import { secretMac } from '../access/keys/api-key.ts'
import { draftKey, keyCreated } from '../access/keys/create-key.ts'
import { connectionToken, newConnectionCredentials } from '../access/keys/credentials.ts'
import { writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { type ConnectionOptions, type Tool, toolScopes, usualOptions } from '../contract/connections.ts'
import type { Scope } from '../contract/scopes.ts'
import { optionsOf } from '../events/publish-event.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { findApiKey, insertApiKey, touchKeyEpoch, updateApiKey } from '../store/accounts/api-keys.ts'
import {
  type ConnectionRow,
  findConnection,
  insertConnection,
  listConnections,
  updateConnection,
} from '../store/connections/connections.ts'
import { openSecret, sealSecret } from '../webhooks/delivery/deliver-relay.ts'
import { addRelayEnd } from './callback-address.ts'
import { type By, entryOf, newAppId, newAppSecret, type StoredConnection, target } from './connection.ts'

export type NewConnection = By & {
  accountId: string
  name: string
  tool: Tool
  /** Instead of what the tool needs. */
  scopes?: readonly Scope[]
  numbers?: readonly string[] | null
  allowedIps?: readonly string[] | null
  options?: Partial<ConnectionOptions>
  createdBy: string
}

export const connectionsMax = 20
const tokenOverlapMs = dayMs

/** The token leaves this function once and is stored nowhere. */
export async function addConnection(rt: Runtime, input: NewConnection) {
  const { accountId, tool, scopes = toolScopes[tool] } = input
  const others = await rt.store.read(listConnections, { account_id: accountId })
  if (others.length >= connectionsMax) {
    const message = `An account has at most ${connectionsMax} connections. Delete one that is not used any more.`
    throw new AppError('connection_limit_reached', message)
  }
  const wanted = { ...input, scopes, kind: 'connection' as const }
  const key = await draftKey(rt, wanted)
  const now = rt.clock.now()
  const owner = { id: rt.newId('con'), account_id: accountId }
  const row: ConnectionRow = {
    ...owner,
    key_id: key.row.id,
    app_id: newAppId(),
    tool,
    app_secret: sealSecret(rt, owner, 'app_secret', newAppSecret()),
    next_app_secret: null,
    verify_token: null,
    relay_id: null,
    options: JSON.stringify({ ...usualOptions, ...input.options }),
    token_in_address_at: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    revision: 1,
  }
  const entry = { ...keyCreated(key, wanted), action: 'connection.created', targets: [target(row, key.row)] }
  await writeAudited(rt, entry, (unit) => {
    unit.add(insertApiKey, key.row)
    unit.add(insertConnection, row)
  })
  return { row, key: key.row, token: connectionToken(key.row.public_key, key.secret) }
}

export async function requireConnection(rt: Runtime, accountId: string, id: string): Promise<StoredConnection> {
  const [row] = await rt.store.read(findConnection, { account_id: accountId, id })
  const [key] = row ? await rt.store.read(findApiKey, { account_id: accountId, id: row.key_id }) : []
  if (!row || !key) throw new AppError('connection_not_found', 'This connection does not exist.')
  return { row, key }
}

/** A new token works at once, the one before it a day longer: the tool is changed in its own time. */
export async function rotateToken(rt: Runtime, { row, key }: StoredConnection, by: By) {
  const { secret } = newConnectionCredentials()
  const previousUntil = rt.clock.now() + tokenOverlapMs
  const changed = {
    ...key,
    secret_mac: await secretMac(rt, secret),
    previous_secret_mac: key.secret_mac,
    previous_secret_until: previousUntil,
  }
  await writeAudited(rt, entryOf({ row, key }, by, 'connection.token_rotated'), (unit) => {
    unit.add(updateApiKey, changed)
    // Nobody has seen the new one yet.
    unit.add(updateConnection, { ...row, token_in_address_at: null })
  })
  return { token: connectionToken(key.public_key, secret), previousUntil: formatInstant(previousUntil) }
}

/** App secrets can't overlap, because a callback has one signature. So the next secret is shown before it is used. */
export async function prepareAppSecret(rt: Runtime, stored: StoredConnection, by: By): Promise<string> {
  const { row } = stored
  if (row.next_app_secret !== null) return openSecret(rt, row, 'next_app_secret', row.next_app_secret)
  const next = newAppSecret()
  await change(
    rt,
    stored,
    { next_app_secret: sealSecret(rt, row, 'next_app_secret', next) },
    by,
    'connection.app_secret_prepared',
  )
  return next
}

/** From here on the prepared secret signs; the one before it is gone. */
export async function switchAppSecret(rt: Runtime, stored: StoredConnection, by: By): Promise<void> {
  const { row } = stored
  if (row.next_app_secret === null) {
    throw new AppError(
      'connection_secret_not_prepared',
      'No new app secret has been prepared. Prepare one and enter it in the tool first.',
    )
  }
  const next = openSecret(rt, row, 'next_app_secret', row.next_app_secret)
  const changed = { app_secret: sealSecret(rt, row, 'app_secret', next), next_app_secret: null }
  await change(rt, stored, changed, by, 'connection.app_secret_switched')
}

export async function changeOptions(
  rt: Runtime,
  stored: StoredConnection,
  options: Partial<ConnectionOptions>,
  by: By,
): Promise<void> {
  const before = optionsOf(stored.row.options)
  await change(rt, stored, { options: JSON.stringify({ ...before, ...options }) }, by, 'connection.changed')
}

/** Its token ends with it, on every node with the next request. */
export async function deleteConnection(rt: Runtime, stored: StoredConnection, by: By): Promise<void> {
  const { row, key } = stored
  const now = rt.clock.now()
  await writeAudited(rt, entryOf(stored, by, 'connection.deleted'), (unit) => {
    unit.add(updateConnection, { ...row, relay_id: null, verify_token: null, updated_at: now, deleted_at: now })
    if (key.status === 'active') unit.add(updateApiKey, { ...key, status: 'revoked' })
    addRelayEnd(rt, unit, row)
  })
}

/** The epoch of the key tells every process that remembers the connection to look again. */
async function change(
  rt: Runtime,
  stored: StoredConnection,
  changed: Partial<ConnectionRow>,
  by: By,
  action: string,
): Promise<void> {
  const { row } = stored
  await writeAudited(rt, entryOf(stored, by, action), (unit) => {
    unit.add(updateConnection, { ...row, ...changed, updated_at: rt.clock.now() })
    unit.add(touchKeyEpoch, { id: row.key_id })
  })
  rt.relayMemory.forget(row.account_id)
}
