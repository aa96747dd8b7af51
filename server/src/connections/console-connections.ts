import type { Static } from 'typebox'
import { authorOf, type Member } from '../access/console-member.ts'
import { numberIdsOf, toApiKey } from '../access/keys/api-key.ts'
import { requireMayGrant } from '../access/keys/console-keys.ts'
import { writeAudited } from '../audit/audit.ts'
import { AppError } from '../contract/app-error.ts'
import { type ConnectionOptions, type Tool, toolScopes } from '../contract/connections.ts'
import type { ConnectionCallback, ConnectionHealth, NewConnection } from '../contract/console/connections.ts'
import { dayMs } from '../lib/durations.ts'
import { formatInstant } from '../lib/instant.ts'
import type { Runtime } from '../runtime.ts'
import { listConnections } from '../store/connections/connections.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { openSecret } from '../webhooks/delivery/deliver-relay.ts'
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
import { type By, describeConnection, entryOf, openConnection, type StoredConnection } from './connection.ts'

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

/** The secrets to enter in the tool, besides the token; viewing them is recorded in the audit log. */
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

export type Standing = {
  tool: Tool
  status: 'active' | 'revoked' | 'expired'
  numbers: readonly unknown[]
  scopes: readonly string[]
  options: Pick<ConnectionOptions, 'hosts'>
  callback: { state: string; problem: string | null; last_delivered_at: string | null } | null
  last_used_at: string | null
}

/** The health of a connection, worst first; one positive sentence if there is nothing to do. */
export function healthOf(standing: Standing, now: number): ConnectionHealth[] {
  const found = [...tokenHealth(standing), ...callbackHealth(standing), ...useHealth(standing, now)]
  if (found.length === 0) return [{ tone: 'ok', sentence: isQuiet(standing, now) ? quiet : working }]
  const rank = ['error', 'warn', 'info', 'ok']
  return found.sort((a, b) => rank.indexOf(a.tone) - rank.indexOf(b.tone))
}

const working = 'The tool sends, and accepts its callbacks.'
const quiet = 'Ready. There were no calls and no callbacks in the last 24 hours.'

function isQuiet({ last_used_at: at }: Standing, now: number): boolean {
  return at === null || now - Date.parse(at) >= dayMs
}

function* tokenHealth({ status, numbers }: Standing): Generator<ConnectionHealth> {
  if (status === 'revoked') yield { tone: 'error', sentence: 'The token was revoked. Create a new connection.' }
  if (status === 'expired') yield { tone: 'error', sentence: 'The token has expired. Create a new connection.' }
  if (numbers.length === 0) {
    yield { tone: 'error', sentence: 'None of its numbers is connected any more: the tool cannot send.' }
  }
}

function* callbackHealth({ callback, scopes, options }: Standing): Generator<ConnectionHealth> {
  if (!callback) {
    const setsItself = scopes.includes('webhooks:write')
    const sentence =
      setsItself && options.hosts.length > 0
        ? 'The tool has not set a callback address yet: it receives nothing.'
        : 'There is no callback address: the tool receives nothing.'
    return yield { tone: 'warn', sentence }
  }
  const { state, problem } = callback
  if (state === 'unverified') {
    yield {
      tone: 'error',
      sentence: `The callback address has not passed the handshake: nothing is sent there. ${problem ?? ''}`.trim(),
    }
  }
  if (state === 'paused') {
    yield { tone: 'info', sentence: 'Callbacks are paused. What the tool misses can be replayed after you resume.' }
  }
  if (state === 'failing') {
    yield { tone: 'error', sentence: 'The tool does not accept callbacks. Open a delivery to see its response.' }
  }
  if (state === 'gone') {
    yield { tone: 'error', sentence: 'The address responded with 410, which stops callbacks. Set a new address.' }
  }
}

function* useHealth(standing: Standing, now: number): Generator<ConnectionHealth> {
  const { tool, status, callback, last_used_at: usedAt } = standing
  if (status !== 'active') return
  if (!isQuiet(standing, now)) return
  const heardAt = callback?.last_delivered_at ?? null
  const hears = callback?.state === 'active' && heardAt !== null && now - Date.parse(heardAt) < dayMs
  if (hears && tool === 'chatwoot') {
    const sentence =
      'Chatwoot accepts callbacks, but has sent nothing for 24 hours: its inbox may be waiting for step 3.'
    yield { tone: 'warn', sentence }
  } else if (usedAt === null) {
    yield { tone: 'info', sentence: 'The tool has not called yet. Follow the steps below.' }
  } else if (hears) {
    yield { tone: 'info', sentence: 'The tool accepts callbacks, but has made no calls for 24 hours.' }
  }
}
