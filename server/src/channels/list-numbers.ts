import type { Static } from 'typebox'
import type { ChannelNumber } from '../contract/console/channel.ts'
import { formatInstant } from '../lib/instant.ts'
import type { ChannelKind } from '../process-memory.ts'
import type { Runtime } from '../runtime.ts'
import { type ConnectedNumberRow, connectedNumbers } from '../store/channels/numbers.ts'

/** A number as people see it. */
export type NumberRecord = Static<typeof ChannelNumber>

/** The connected numbers of an account, its default first. */
export async function listNumbers(rt: Runtime, accountId: string): Promise<NumberRecord[]> {
  const rows = await rt.store.read(connectedNumbers, { account_id: accountId })
  return rows.map((row, index) => toRecord(row, index === 0))
}

function toRecord(row: ConnectedNumberRow, isDefault: boolean): NumberRecord {
  return {
    id: row.id,
    channel_id: row.channel_id,
    kind: row.kind as ChannelKind,
    phone_number: row.phone_number,
    display_name: row.display_name,
    status: row.status,
    quality: row.quality as NumberRecord['quality'],
    sends_per_second: row.sends_per_second,
    messaging_limit: row.messaging_limit,
    default: isDefault,
    connected_at: formatInstant(row.connected_at),
    last_inbound_at: formatInstant(row.last_inbound_at),
  }
}
