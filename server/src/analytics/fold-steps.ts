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
export async function foldSteps(rt: Pick<Runtime, 'store'>): Promise<number> {
  const [last] = await rt.store.read(lastStep, {})
  if (!last || last.seq === 0) return 0
  for (let folds = 1; ; folds++) {
    const seqs = (await rt.store.read(nextSteps, { count: batch })).map(({ seq }) => seq)
    if (seqs.length > 0) await fold(rt, seqs)
    if (seqs.length < batch || seqs.some((seq) => seq >= last.seq)) return folds
  }
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

/** The job: often while there is traffic, so that nobody who asks has much to fold. */
export async function foldRegularly(rt: Runtime): Promise<{ againAt: number }> {
  const folded = await foldSteps(rt)
  return { againAt: rt.clock.now() + (folded > 0 ? busyPauseMs : idlePauseMs) }
}
