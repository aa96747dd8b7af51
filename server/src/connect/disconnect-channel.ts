import { type Actor, type AuditContext, writeAudited } from '../audit/audit.ts'
import { releaseCallback } from '../channels/check/check-callback.ts'
import type { CheckStep } from '../channels/check/check-step.ts'
import { openRow } from '../channels/open-channel.ts'
import { numbersOf } from '../channels/refresh-channel.ts'
import type { Runtime } from '../runtime.ts'
import { releaseAppWabas } from '../store/channels/channel-apps.ts'
import { disconnectChannel as disconnect, findChannel } from '../store/channels/channels.ts'
import { disconnectNumbers } from '../store/channels/numbers.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'

export type Disconnection = { accountId: string; channelId: string; actor: Actor; context?: AuditContext }

/**
 * Takes the callback address away at the platform, then forgets the credentials. What the platform answers does not
 * matter: a channel with a dead token can be disconnected too. Null: there is no such channel.
 */
export async function disconnectChannel(
  rt: Runtime,
  { accountId, channelId, actor, context }: Disconnection,
): Promise<CheckStep | null> {
  const [row] = await rt.store.read(findChannel, { account_id: accountId, id: channelId })
  const channel = row && openRow(rt, row)
  if (!row || !channel || row.status === 'disconnected') return null
  const [number] = await numbersOf(rt, channel)
  const step = await releaseCallback(rt, channel, number?.phone_number_id ?? '')
  const targets = [{ type: 'channel', id: channelId, name: row.name ?? row.waba_id }]
  const entry = { accountId, action: 'channel.disconnected', actor, targets, context }
  const now = rt.clock.now()
  try {
    await writeAudited(rt, entry, (unit) => {
      unit.add(disconnect, { id: channelId, account_id: accountId, now })
      unit.add(releaseAppWabas, { channel_id: channelId })
      unit.add(disconnectNumbers, { channel_id: channelId, now })
    })
  } catch (error) {
    // Another request disconnected it in the same moment.
    if (error instanceof ConditionFailed) return null
    throw error
  }
  return step
}
