import { minuteMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { channelsToSync } from '../../store/templates/template-syncs.ts'
import { findChannelOf } from '../template-channel.ts'
import { claimNextSync, syncIfDue } from './sync-templates.ts'

const reviewPauseMs = minuteMs
const calmPauseMs = 15 * minuteMs
const channelsMax = 50

/**
 * The job behind the callbacks, which can be lost: every channel is looked at each quarter of an hour, and each minute
 * while one of its templates is under review.
 */
export async function pollTemplates(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const params = { before: now - calmPauseMs, pending_before: now - reviewPauseMs, count: channelsMax }
  const due = await rt.store.read(channelsToSync, params)
  for (const { account_id: accountId, channel_id: channelId } of due) {
    const channel = await findChannelOf(rt, { accountId, channelId })
    if (channel) await syncIfDue(rt, channel, reviewPauseMs)
    // Without a number it cannot be asked; it waits like the others, or it would stay the first for ever.
    else await claimNextSync(rt, { accountId, channelId }, reviewPauseMs)
  }
  return due.length < channelsMax ? 'done' : { againAt: rt.clock.now() }
}
