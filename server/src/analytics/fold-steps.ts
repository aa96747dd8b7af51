import { randomInt } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import {
  deleteSteps,
  foldCounts,
  foldFailures,
  foldLatencies,
  foldPricing,
  lastStep,
  lockFolds,
  nextSteps,
} from '../store/analytics/analytics.ts'
import { Unit } from '../store/engine/unit.ts'
import { addRecipientDays, addRecipientGaps } from '../store/messages/recipients.ts'
import { foldTemplateDays } from '../store/templates/template-days.ts'

// Enough to make many steps one row, few enough that nobody who writes waits for long: a step is a row in up to 83 places.
const batch = 500

/**
 * Moves the steps that are on disk into the roll-ups, each batch all or nothing: a step is always in exactly one of the
 * two places. A request for figures folds first and so sees everything that was committed before. What comes in the
 * meantime is left to the next one: under steady traffic there would be no end to it.
 */
export async function foldSteps(rt: Pick<Runtime, 'store'>): Promise<void> {
  const last = await lastSeq(rt)
  let left = last
  while (left > 0) left = await foldNext(rt, last)
}

/** The youngest step, 0 when all are folded. */
async function lastSeq({ store }: Pick<Runtime, 'store'>): Promise<number> {
  return (await store.read(lastStep, {}))[0]?.seq ?? 0
}

/** Folds the oldest steps; about how many are left up to `last`. */
async function foldNext(rt: Pick<Runtime, 'store'>, last: number): Promise<number> {
  const seqs = (await rt.store.read(nextSteps, { count: batch })).map(({ seq }) => seq)
  if (seqs.length > 0) await fold(rt, seqs)
  return seqs.length < batch ? 0 : Math.max(0, last - Math.max(...seqs))
}

/** What another fold has taken in the meantime is gone when this one has the lock. */
async function fold(rt: Pick<Runtime, 'store'>, seqs: readonly number[]): Promise<void> {
  const steps = { first: seqs[0] ?? 0, last: seqs.at(-1) ?? 0, seqs: JSON.stringify(seqs) }
  // Tells the days that this fold adds from those that were there.
  const fold = randomInt(1, 2 ** 48 - 1)
  const unit = new Unit()
  unit.add(lockFolds, {})
  unit.add(foldCounts, steps)
  unit.add(foldFailures, steps)
  unit.add(foldLatencies, steps)
  unit.add(foldPricing, steps)
  unit.add(foldTemplateDays, steps)
  unit.add(addRecipientDays, { ...steps, fold })
  unit.add(addRecipientGaps, { ...steps, fold })
  unit.add(deleteSteps, steps)
  await rt.store.writeApart(unit)
}

const busyPauseMs = 1_000
const idlePauseMs = 10_000

/**
 * The job: often while there is traffic, so that nobody who asks has much to fold. One batch each time, and what is left is
 * spread over the second that follows: all at once, it would hold up everything that is to be written on SQLite.
 */
export async function foldRegularly(rt: Runtime): Promise<{ againAt: number }> {
  const last = await lastSeq(rt)
  if (last === 0) return { againAt: rt.clock.now() + idlePauseMs }
  const batchesLeft = Math.ceil((await foldNext(rt, last)) / batch)
  return { againAt: rt.clock.now() + Math.round(busyPauseMs / Math.max(1, batchesLeft)) }
}
