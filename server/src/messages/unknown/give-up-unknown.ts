import { dayMs } from '../../lib/durations.ts'
import type { Runtime } from '../../runtime.ts'
import { ConditionFailed } from '../../store/engine/store-error.ts'
import { Unit } from '../../store/engine/unit.ts'
import { findUnknownBefore, type MessageRow } from '../../store/messages/messages.ts'
import { findNumber } from '../number-facts.ts'
import { addUnknownEnd } from './unknown-end.ts'

const batch = 200

/**
 * The end of unknown outcomes that neither a status nor a person has settled while Meta could still report: failed, never to
 * be repeated. It counts as no failure in analytics, and a status that comes all the same is believed.
 */
export async function giveUpUnknown(rt: Runtime): Promise<'done' | { againAt: number }> {
  const now = rt.clock.now()
  const before = now - rt.config.outcomeUnknownDays * dayMs
  const rows = await rt.store.read(findUnknownBefore, { before, count: batch })
  for (const row of rows) await giveUp(rt, row)
  return rows.length === batch ? { againAt: now } : 'done'
}

async function giveUp(rt: Runtime, row: MessageRow): Promise<void> {
  const number = await findNumber(rt, row.account_id, row.number_id)
  const to = { status: 'failed', at: rt.clock.now(), code: 'send_outcome_unknown' } as const
  const unit = new Unit()
  addUnknownEnd(rt, unit, { row, numberPhone: number?.phoneNumber ?? null, to })
  try {
    await rt.store.write(unit)
  } catch (error) {
    // A status was faster.
    if (error instanceof ConditionFailed) return
    throw error
  }
  rt.metrics.messagesGivenUp.inc({})
  rt.log.warn({ message_id: row.id, account_id: row.account_id }, 'message.given_up')
}
