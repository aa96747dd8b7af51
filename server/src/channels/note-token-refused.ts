import type { Runtime } from '../runtime.ts'
import { setChannelStatus } from '../store/channels.ts'
import { Unit } from '../store/unit.ts'

/**
 * The platform refused a channel's token on an ordinary call. Callbacks are still taken; the next refresh or check that
 * finds the token valid sets the channel right again.
 */
export async function noteTokenRefused(rt: Runtime, channelId: string): Promise<void> {
  const unit = new Unit()
  unit.add(setChannelStatus, { id: channelId, status: 'auth_failed', now: rt.clock.now() })
  await rt.store.write(unit)
}
