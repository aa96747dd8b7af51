import type { Runtime } from '../runtime.ts'
import { setChannelStatus } from '../store/channels/channels.ts'
import { unitOf } from '../store/engine/unit.ts'

/**
 * The platform refused a channel's token on an ordinary call. Callbacks are still taken; the next refresh or check that
 * finds the token valid sets the channel right again. `revision` is the one whose token was refused: a refusal that comes
 * after new credentials were connected says nothing about them.
 */
export async function noteTokenRefused(rt: Runtime, channelId: string, revision: number | null = null): Promise<void> {
  await rt.store.write(
    unitOf(setChannelStatus, { id: channelId, revision, status: 'auth_failed', now: rt.clock.now() }),
  )
}
