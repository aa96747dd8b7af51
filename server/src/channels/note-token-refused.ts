import type { Runtime } from '../runtime.ts'
import { setChannelStatus } from '../store/channels/channels.ts'
import { Unit } from '../store/engine/unit.ts'
import { tellToken } from './operator-news.ts'

/**
 * The platform refused a channel's token on an ordinary call. Callbacks are still taken; the next refresh or check that
 * finds the token valid sets the channel right again. `revision` is the one whose token was refused: a refusal that comes
 * after new credentials were connected says nothing about them.
 */
export async function noteTokenRefused(rt: Runtime, channelId: string, revision: number | null = null): Promise<void> {
  const unit = new Unit()
  const call = unit.add(setChannelStatus, { id: channelId, revision, status: 'auth_failed', now: rt.clock.now() })
  const row = (await rt.store.write(unit)).first(call)
  if (!row) return
  const channel = { id: row.id, accountId: row.account_id, wabaId: row.waba_id }
  await tellToken(rt, channel, { valid: false, expiresAt: null })
}
