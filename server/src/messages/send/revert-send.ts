import { setTimeout as pause } from 'node:timers/promises'
import { addRelease, type IdempotencyKey } from '../../access/idempotency.ts'
import { addRelease as addBudgetRelease } from '../../budgets/hold.ts'
import type { QuotaToTake } from '../../limits/quota.ts'
import type { Runtime } from '../../runtime.ts'
import { refundQuota } from '../../store/accounts/quotas.ts'
import { Unit } from '../../store/engine/unit.ts'
import { findMessagesById, type MessageRow, withdrawMessage } from '../../store/messages/messages.ts'
import { isUnderWay } from '../message-record.ts'
import type { Draft } from './draft.ts'
import { recordFailed } from './record-outcome.ts'

type Queued = {
  row: MessageRow
  draft: Draft
  idempotencyKey: IdempotencyKey | null
  /** The quota that the write used, if any. */
  counted: QuotaToTake | null
}

const pauseMs = { first: 100, max: 5_000 }
// Looks for twenty minutes; a database that is away for longer leaves the message to recovery, as unknown.
const looksMax = 250
// A commit whose connection was lost is there within a moment or never.
const absentMax = 6

const notCalled = {
  code: 'service_unavailable',
  message:
    'Meta was not called: storing the message took too long, or the database became unavailable. Nothing was sent.',
  retryable: true,
  upstream: null,
}

/**
 * The connection was lost during the first commit of a send, so it is unknown whether the message is stored. The platform
 * was not called and never will be, because only this send could have called it. A stored message is taken back, and its
 * idempotency key is released: the client was told to retry, and must not be refused as a repeat. What failed on our side is
 * not charged either.
 */
export async function revertSend(rt: Runtime, queued: Queued): Promise<void> {
  const { row } = queued
  let absent = 0
  for (let look = 0; look < looksMax && absent < absentMax; look++) {
    await pause(Math.min(pauseMs.first * 2 ** look, pauseMs.max), undefined, { ref: false })
    try {
      const [stored] = await rt.store.read(findMessagesById, { ids: [row.id] })
      if (!stored) absent++
      else if (stored.status !== 'queued') return
      else return await takeBack(rt, stored, queued)
    } catch (error) {
      rt.log.warn({ err: error, message_id: row.id, look }, 'message.not_taken_back')
    }
  }
}

/**
 * Nobody knows a message that is still under way: it leaves no event and no count. Repeats were given the id of one that
 * recovery has found.
 */
async function takeBack(rt: Runtime, stored: MessageRow, { draft, idempotencyKey, counted }: Queued): Promise<void> {
  const release = (unit: Unit) => {
    if (idempotencyKey) addRelease(unit, idempotencyKey, stored.id)
    if (!counted) return
    const { hour_start, day_start } = counted
    unit.add(refundQuota, { account_id: stored.account_id, hour_start, day_start })
  }
  if (!isUnderWay(stored)) return recordFailed(rt, { row: stored, draft, error: notCalled }, release)
  const unit = new Unit()
  addBudgetRelease(unit, stored)
  unit.add(withdrawMessage, stored)
  release(unit)
  await rt.store.write(unit)
}
