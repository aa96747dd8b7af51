import type { CallbackItem } from '../../platform/callback-item.ts'
import type { Runtime } from '../../runtime.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../../store/channels/numbers.ts'
import type { ChannelKind } from '../open-channel.ts'
import type { CallbackContext } from './callback-handler.ts'

/** Finds the place of an item within the account whose channel received it; null where it has none. */
export type CallbackRoutes = (accountId: string, item: CallbackItem, receivedAt: number) => CallbackContext | null

/**
 * Items are routed by the platform's ids, never by a formatted phone number. One app may serve several numbers of an
 * account, so an item can arrive at the address of another channel of the same account; never of another account.
 */
export async function readRoutes(rt: Runtime, accountIds: ReadonlySet<string>): Promise<CallbackRoutes> {
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
  return (accountId, item, receivedAt) => {
    const account = routes.get(accountId)
    const number = item.phoneNumberId === null ? undefined : account?.numbers.get(item.phoneNumberId)
    if (number) return { accountId, channel: channelOf(number), number: numberOf(number), receivedAt }
    if (item.phoneNumberId !== null || item.wabaId === null) return null
    const business = account?.businesses.get(item.wabaId)
    return business ? { accountId, channel: channelOf(business), number: null, receivedAt } : null
  }
}

type AccountRoutes = { numbers: Map<string, ConnectedNumberRow>; businesses: Map<string, ConnectedNumberRow> }

function channelOf(row: ConnectedNumberRow): CallbackContext['channel'] {
  return { id: row.channel_id, kind: row.kind as ChannelKind, wabaId: row.waba_id }
}

function numberOf(row: ConnectedNumberRow): CallbackContext['number'] {
  return { id: row.id, phoneNumber: row.phone_number, displayName: row.display_name }
}
