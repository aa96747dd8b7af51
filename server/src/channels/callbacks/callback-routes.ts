import type { ChannelKind } from '../../open-channels.ts'
import type { CallbackItem } from '../../platform/callback-item.ts'
import type { Runtime } from '../../runtime.ts'
import { listAppWabas } from '../../store/channels/channel-apps.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../../store/channels/numbers.ts'
import { isAppId } from '../channel-app.ts'
import type { CallbackContext } from './callback-handler.ts'

/** Finds the place of an item within the account, or behind the app, that received it; null where it has none. */
export type CallbackRoutes = (receiverId: string, item: CallbackItem, receivedAt: number) => CallbackContext | null

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
  return { id: row.channel_id, kind: row.kind as ChannelKind, wabaId: row.waba_id }
}

function numberOf(row: ConnectedNumberRow): CallbackContext['number'] {
  return { id: row.id, phoneNumber: row.phone_number, displayName: row.display_name }
}
