import { stateOf } from '../channels/channel-record.ts'
import { credentialsOf, openRow } from '../channels/require-number.ts'
import { dayMs, hourMs } from '../lib/durations.ts'
import { PlatformError } from '../platform/platform-error.ts'
import type { Runtime } from '../runtime.ts'
import { findChannel } from '../store/channels/channels.ts'
import { dueSyncs, expireSignups, moveSyncOf, type SignupRow } from '../store/channels/signups.ts'
import { deleteInBatches } from '../store/engine/expire-before.ts'
import { ConditionFailed } from '../store/engine/store-error.ts'
import { unitOf } from '../store/engine/unit.ts'

/** The platform takes the request for a day after the number was shared, which was within an hour or two of the start. */
const requestMs = 26 * hourMs
const keptMs = 7 * dayMs

/**
 * Asks for the contacts and the history of numbers that are in use with the WhatsApp Business app: each once for ever. What
 * it brings comes as callbacks, so that it waits until those arrive here. A process that dies while it asks leaves the state
 * `asking`, and nobody asks again.
 */
export async function syncBusinessApps(rt: Runtime): Promise<'done'> {
  for (const row of await rt.store.read(dueSyncs, {})) {
    const [channel] = await rt.store.read(findChannel, { account_id: row.account_id, id: row.channel_id ?? '' })
    const open = channel && openRow(rt, channel)
    const isLate = row.created_at + requestMs < rt.clock.now()
    if (!isLate && open && stateOf(channel) !== 'connected') continue
    for (const part of ['contacts', 'history'] as const) {
      if (row[`${part}_sync`] !== 'due') continue
      if (!open || isLate) await move(rt, row, part, 'due', open ? 'late' : 'refused')
      else if (await move(rt, row, part, 'due', 'asking')) {
        const credentials = credentialsOf(open, row.phone_number_id ?? '')
        const outcome = await outcomeOf(rt.platform.syncBusinessApp(credentials, part))
        await move(rt, row, part, 'asking', outcome)
        // The platform asks for this order.
        if (outcome === 'due') break
      }
    }
  }
  return 'done'
}

type Part = keyof typeof moveSyncOf

async function move(rt: Runtime, { id }: SignupRow, part: Part, before: string, after: string): Promise<boolean> {
  try {
    await rt.store.write(unitOf(moveSyncOf[part], { id, before, after, now: rt.clock.now() }))
    return true
  } catch (error) {
    if (error instanceof ConditionFailed) return false
    throw error
  }
}

const asked = 2_593_107
const tooLate = 2_593_108

async function outcomeOf(call: Promise<void>): Promise<string> {
  try {
    await call
    return 'done'
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.outcome === 'not_sent') return 'due'
    if (error.outcome === 'unknown') return 'unknown'
    if (error.upstream.code === asked) return 'done'
    return error.upstream.code === tooLate ? 'late' : 'refused'
  }
}

export async function expireOldSignups(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - keptMs
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireSignups, { before, count }))
  return 'done'
}
