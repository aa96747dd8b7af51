import type { ChannelReadiness } from '../../access/describe-caller.ts'
import type { Runtime } from '../../runtime.ts'
import { listChannels } from '../../store/channels/channels.ts'
import { connectedNumbers } from '../../store/channels/numbers.ts'
import { stateOf } from '../channel-record.ts'

/**
 * Whether an account can send. A channel whose token the platform refuses is not connected to the caller, although its
 * callbacks still come in.
 */
export async function channelReadiness(rt: Runtime, accountId: string): Promise<ChannelReadiness> {
  const [rows, channels] = await Promise.all([
    rt.store.read(connectedNumbers, { account_id: accountId }),
    rt.store.read(listChannels, { account_id: accountId }),
  ])
  const states = new Map(channels.map((channel) => [channel.id, stateOf(channel)]))
  return {
    connected: rows.some((row) => row.channel_status === 'connected'),
    business_verified: rows[0]?.business_verified === 1,
    phone_numbers: rows.map((row, index) => ({
      id: row.id,
      phone_number: row.phone_number,
      display_name: row.display_name,
      quality: row.quality,
      status: states.get(row.channel_id) ?? 'auth_failed',
      default: index === 0,
    })),
  }
}
