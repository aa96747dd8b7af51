import type { Static } from 'typebox'
import { authorOf, type Member } from '../access/console-member.ts'
import { numberIdsOf, toApiKey } from '../access/keys/api-key.ts'
import { requireMayGrant } from '../access/keys/console-keys.ts'
import { writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { type ConnectionOptions, toolScopes } from '../contract/connections.ts'
import type { ConnectionCallback, NewConnection } from '../contract/console/connections.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { listConnections } from '../store/connections/connections.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { openSecret } from '../webhooks/relay-secret.ts'
import { setCallback } from './callback-address.ts'
import {
  addConnection,
  changeOptions,
  connectionsMax,
  deleteConnection,
  prepareAppSecret,
  requireConnection,
  rotateToken,
} from './change-connection.ts'
import { openConnection } from './connection.ts'
import { type By, entryOf, type StoredConnection } from './connection-entry.ts'
import { healthOf } from './connection-health.ts'
import { describeConnection } from './describe-connection.ts'

/** All connections, oldest first. */
export async function describeConnections(rt: Runtime, { accountId }: Member) {
  const rows = await rt.store.read(listConnections, { account_id: accountId })
  const connections = await Promise.all(
    rows.map(async ({ id }) => describe(rt, await requireConnection(rt, accountId, id))),
  )
  return { connections, connections_max: connectionsMax }
}

export async function describeOne(rt: Runtime, { accountId }: Member, id: string) {
  return describe(rt, await requireConnection(rt, accountId, id))
}

export async function createFor(rt: Runtime, member: Member, input: Static<typeof NewConnection>) {
  const { name, tool, numbers = null, allowed_ips: allowedIps = null } = input
  const scopes = input.scopes ?? toolScopes[tool]
  requireMayGrant(member, scopes)
  const { accountId, userId: createdBy } = member
  const wanted = { accountId, name: name.trim(), tool, scopes, numbers, allowedIps, createdBy }
  const { row, key, token } = await addConnection(rt, { ...authorOf(member), ...wanted })
  return { connection: await describe(rt, { row, key }), token }
}

/** Runs an act on a connection and shows what it is afterwards. */
export async function changeFor(
  rt: Runtime,
  member: Member,
  id: string,
  act: (stored: StoredConnection, by: By) => Promise<unknown>,
) {
  await acted(rt, member, id, act)
  return describeOne(rt, member, id)
}

export async function rotateFor(rt: Runtime, member: Member, id: string) {
  const { token } = await acted(rt, member, id, (stored, by) => {
    requireMayGrant(member, toApiKey(stored.key, rt.clock.now()).scopes)
    return rotateToken(rt, stored, by)
  })
  return { connection: await describeOne(rt, member, id), token }
}

/** What a person puts into the tool beside the token; who looked is in the audit log. */
export async function showSecrets(rt: Runtime, member: Member, id: string) {
  return acted(rt, member, id, async (stored, by) => {
    const { row } = stored
    const open = (field: 'next_app_secret' | 'verify_token') =>
      row[field] === null ? null : openSecret(rt, row, field, row[field])
    const shown = {
      app_secret: openConnection(rt, row).appSecret,
      next_app_secret: open('next_app_secret'),
      verify_token: open('verify_token'),
    }
    await writeAudited(rt, entryOf(stored, by, 'connection.secrets_shown'), () => {})
    return shown
  })
}

export async function prepareSecretFor(rt: Runtime, member: Member, id: string) {
  await acted(rt, member, id, (stored, by) => prepareAppSecret(rt, stored, by))
  return showSecrets(rt, member, id)
}

export async function setOptionsFor(rt: Runtime, member: Member, id: string, options: ConnectionOptions) {
  return changeFor(rt, member, id, (stored, by) => changeOptions(rt, stored, options, by))
}

export async function setCallbackFor(
  rt: Runtime,
  member: Member,
  id: string,
  { url, verify_token: verifyToken, waive }: Static<typeof ConnectionCallback>,
) {
  const address = { url: url.trim(), verifyToken: verifyToken ?? null }
  return changeFor(rt, member, id, (stored, by) => setCallback(rt, stored, address, { ...by, waive: waive === true }))
}

export async function deleteFor(rt: Runtime, member: Member, id: string) {
  await acted(rt, member, id, (stored, by) => deleteConnection(rt, stored, by))
  return { deleted: true }
}

async function acted<T>(
  rt: Runtime,
  member: Member,
  id: string,
  act: (stored: StoredConnection, by: By) => Promise<T>,
): Promise<T> {
  const stored = await requireConnection(rt, member.accountId, id)
  try {
    return await act(stored, authorOf(member))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    throw new AppError('concurrent_change', 'Someone else has just changed this connection. Reload it, then try again.')
  }
}

async function describe(rt: Runtime, stored: StoredConnection) {
  const { row, key } = stored
  const { app_secret: _, scopes: __, ...shown } = await describeConnection(rt, stored)
  const now = rt.clock.now()
  const { status, scopes, allowed_ips, expires_at } = toApiKey(key, now)
  const until = key.previous_secret_until
  return {
    ...shown,
    key_id: key.id,
    status,
    scopes,
    allowed_ips,
    expires_at,
    all_numbers: numberIdsOf(key) === null,
    health: healthOf({ ...shown, status, scopes }, now),
    previous_token_until: until !== null && until > now ? formatInstant(until) : null,
    next_secret_prepared: row.next_app_secret !== null,
  }
}
