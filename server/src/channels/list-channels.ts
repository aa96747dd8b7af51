import type { Runtime } from '../runtime.ts'
import { findChannel, listChannels as readChannels } from '../store/channels/channels.ts'
import { type ChannelRecord, toChannelRecord } from './channel-record.ts'
import { listNumbers } from './list-numbers.ts'

/** The connected channels of an account with their numbers. */
export async function listChannels(rt: Runtime, accountId: string): Promise<ChannelRecord[]> {
  const [rows, numbers] = await Promise.all([
    rt.store.read(readChannels, { account_id: accountId }),
    listNumbers(rt, accountId),
  ])
  return rows.map((row) => toChannelRecord(rt, row, numbers))
}

export async function readChannel(rt: Runtime, accountId: string, channelId: string): Promise<ChannelRecord | null> {
  const [[row], numbers] = await Promise.all([
    rt.store.read(findChannel, { account_id: accountId, id: channelId }),
    listNumbers(rt, accountId),
  ])
  return row && row.status !== 'disconnected' ? toChannelRecord(rt, row, numbers) : null
}
