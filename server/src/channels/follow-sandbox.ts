import type { Runtime } from '../runtime.ts'
import { type ChannelRow, findChannel } from '../store/channels/channels.ts'
import { listSandboxChannels, moveChannel } from '../store/channels/sandbox-channels.ts'
import { unitOf } from '../store/engine/unit.ts'
import { checkChannel } from './check/check-channel.ts'
import { numbersOf } from './refresh-channel.ts'
import { openRow } from './require-number.ts'

export type SandboxPlace = { url: string; wabaIds: readonly string[] }

/**
 * After a start on other ports: the channels of this process's own sandbox follow it to its new address, and it learns
 * ours. Channels of a sandbox that runs elsewhere are left alone. Returns the accounts of its channels.
 */
export async function followSandbox(rt: Runtime, { url, wabaIds }: SandboxPlace): Promise<string[]> {
  const rows = await rt.store.read(listSandboxChannels, {})
  const own = rows.filter(({ waba_id }) => wabaIds.includes(waba_id))
  for (const row of own) {
    const channel = openRow(rt, row.base_url === url ? row : await moved(rt, row, url))
    const [number] = channel ? await numbersOf(rt, channel) : []
    if (!channel || !number) continue
    await checkChannel(rt, channel.accountId, channel.id, { repair: true })
  }
  return [...new Set(own.map(({ account_id }) => account_id))]
}

async function moved(rt: Runtime, row: ChannelRow, url: string): Promise<ChannelRow> {
  await rt.store.write(unitOf(moveChannel, { id: row.id, base_url: url, now: rt.clock.now() }))
  const [now] = await rt.store.read(findChannel, { account_id: row.account_id, id: row.id })
  return now ?? row
}
