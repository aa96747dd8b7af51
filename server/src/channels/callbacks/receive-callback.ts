import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { CallbackItem } from '../../platform/callback-item.ts'
import type { ChannelKind, OpenChannel } from '../../process-memory.ts'
import type { Runtime } from '../../runtime.ts'
import { addCallback } from '../../store/channels/callbacks.ts'
import { listAppWabas } from '../../store/channels/channel-apps.ts'
import { findChannelByCallback, requireChannel } from '../../store/channels/channels.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../../store/channels/numbers.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { type ChannelApp, isAppId } from '../channel-app.ts'
import { openRow } from '../require-number.ts'
import type { CallbackContext } from './callback-items.ts'

/** The owner of a callback address: a channel, or an app, whose bodies are stored under its own id alone. */
export type CallbackTarget = Pick<OpenChannel, 'id' | 'accountId' | 'appSecret' | 'verifyToken'> & {
  /** The channel as this process remembers it. */
  remembered?: OpenChannel
}

export function targetOfApp({ id, appSecret, verifyToken }: ChannelApp): CallbackTarget {
  return { id, accountId: id, appSecret, verifyToken }
}

/** The channel behind a callback address, or null: the address then does not exist. */
export async function channelOfCallback(rt: Runtime, callbackId: string): Promise<OpenChannel | null> {
  const [row] = await rt.store.read(findChannelByCallback, { callback_id: callbackId })
  return row ? openRow(rt, row) : null
}

/**
 * The same from memory, where a read is a round trip. What is stored under it names the revision of the channel, and
 * every refusal is decided on the channel as it is now.
 */
export function recallChannel(rt: Runtime, callbackId: string): CallbackTarget | null {
  const remembered = rt.store.shared ? rt.openChannels.ofCallback(callbackId) : undefined
  return remembered ? { ...remembered, remembered } : null
}

/** Of channel and body. Only who has the secret of a channel can look for two bodies with one hash, and it is their own channel. */
const hashBytes = 16

/** Waits for a place of the account among the bodies that are written; null when too many wait already. */
export type EnterWrites = (accountId: string) => Promise<(() => void) | null>

/**
 * Stores a signed body and resolves when it is on disk. Nothing is parsed: whatever a well-signed body says, it is kept,
 * and a body that is signed wrongly takes no place and leaves no trace but a count. Null where the channel is not as it was
 * remembered.
 */
export async function receiveCallback(
  rt: Runtime,
  target: CallbackTarget,
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  enter: EnterWrites,
): Promise<'stored' | 'bad_signature' | 'busy' | null> {
  const { remembered } = target
  if (!rt.platform.isSigned(headers, body, target.appSecret)) {
    if (remembered) return null
    rt.metrics.channelEventsReceived.inc({ kind: 'callback', outcome: 'bad_signature' })
    return 'bad_signature'
  }
  const leave = await enter(target.accountId)
  if (!leave) return 'busy'
  const unit = new Unit()
  if (remembered) unit.add(requireChannel, { id: remembered.id, revision: remembered.revision })
  addCallback(unit, rt.store.engine, {
    id: rt.newId('cbk'),
    channel_id: target.id,
    account_id: target.accountId,
    hash: createHash('sha256').update(`${target.id}\n`).update(body).digest().subarray(0, hashBytes),
    body,
    received_at: rt.clock.now(),
  })
  try {
    await rt.store.write(unit)
    return 'stored'
  } catch (error) {
    if (!remembered || !(error instanceof ConditionFailed)) throw error
    rt.openChannels.forget(remembered)
    return null
  } finally {
    leave()
  }
}

/** Finds the place of an item within the account, or behind the app, that received it; null where it has none. */
type CallbackRoutes = (receiverId: string, item: CallbackItem, receivedAt: number) => CallbackContext | null

/**
 * Items are routed by the platform's ids, never by a formatted phone number. One app may serve several numbers of an
 * account, so an item can arrive at the address of another channel of the same account; never of another account. What
 * arrives at the address of an app reaches only the channel that proved its access to the business account it names.
 */
export async function readRoutes(rt: Runtime, receiverIds: ReadonlySet<string>): Promise<CallbackRoutes> {
  const appIds = [...receiverIds].filter(isAppId)
  const claims = appIds.length === 0 ? [] : await rt.store.read(listAppWabas, { channel_app_ids: appIds })
  const ofApps = new Map(claims.map((claim) => [`${claim.channel_app_id} ${claim.waba_id}`, claim]))
  const ownIds = [...receiverIds].filter((id) => !isAppId(id))
  const routes = await readAccounts(rt, new Set([...ownIds, ...claims.map(({ account_id }) => account_id)]))
  return (receiverId, item, receivedAt) => {
    if (!isAppId(receiverId)) return place(routes, { accountId: receiverId, channelId: null }, item, receivedAt)
    const claim = ofApps.get(`${receiverId} ${item.wabaId}`)
    const target = claim && { accountId: claim.account_id, channelId: claim.channel_id }
    return target ? place(routes, target, item, receivedAt) : null
  }
}

function place(
  routes: ReadonlyMap<string, AccountRoutes>,
  { accountId, channelId }: { accountId: string; channelId: string | null },
  item: CallbackItem,
  receivedAt: number,
): CallbackContext | null {
  const account = routes.get(accountId)
  const mayHear = (row: ConnectedNumberRow | undefined) => row && (channelId === null || row.channel_id === channelId)
  const number = item.phoneNumberId === null ? undefined : account?.numbers.get(item.phoneNumberId)
  if (number && mayHear(number)) {
    return { accountId, channel: channelOf(number), number: numberOf(number), receivedAt }
  }
  if (item.phoneNumberId !== null || item.wabaId === null) return null
  const business = account?.businesses.get(item.wabaId)
  return business && mayHear(business) ? { accountId, channel: channelOf(business), number: null, receivedAt } : null
}

async function readAccounts(rt: Runtime, accountIds: ReadonlySet<string>): Promise<Map<string, AccountRoutes>> {
  const routes = new Map<string, AccountRoutes>()
  await Promise.all(
    [...accountIds].map(async (accountId) => {
      const rows = await rt.store.read(connectedNumbers, { account_id: accountId })
      routes.set(accountId, {
        numbers: new Map(rows.map((row) => [row.phone_number_id, row])),
        businesses: new Map(rows.map((row) => [row.waba_id, row])),
      })
    }),
  )
  return routes
}

type AccountRoutes = { numbers: Map<string, ConnectedNumberRow>; businesses: Map<string, ConnectedNumberRow> }

function channelOf(row: ConnectedNumberRow): CallbackContext['channel'] {
  return { id: row.channel_id, kind: row.kind as ChannelKind, wabaId: row.waba_id, timeZone: row.time_zone }
}

function numberOf(row: ConnectedNumberRow): CallbackContext['number'] {
  return { id: row.id, phoneNumber: row.phone_number, displayName: row.display_name }
}
