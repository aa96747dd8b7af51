import { randomInt } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import {
  claimSteps,
  deleteSteps,
  foldCounts,
  foldFailures,
  foldLatencies,
  foldPricing,
  lastStep,
  lockFolds,
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
    const seqs = await foldBatch(rt)
    if (seqs.length < batch || seqs.some((seq) => seq >= last.seq)) return folds
  }
}

async function foldBatch(rt: Pick<Runtime, 'store'>): Promise<number[]> {
  const fold = randomInt(1, 2 ** 48 - 1)
  const unit = new Unit()
  unit.add(lockFolds, {})
  const claimed = unit.add(claimSteps, { fold, count: batch })
  unit.add(foldCounts, { fold })
  unit.add(foldFailures, { fold })
  unit.add(foldLatencies, { fold })
  unit.add(foldPricing, { fold })
  unit.add(foldTemplateDays, { fold })
  unit.add(addRecipientDays, { fold })
  unit.add(addRecipientGaps, { fold })
  unit.add(deleteSteps, { fold })
  return (await rt.store.writeApart(unit)).rows(claimed).map(({ seq }) => seq)
}

const busyPauseMs = 1_000
const idlePauseMs = 10_000

/** The job: often while there is traffic, so that nobody who asks has much to fold. */
export async function foldRegularly(rt: Runtime): Promise<{ againAt: number }> {
  const folded = await foldSteps(rt)
  return { againAt: rt.clock.now() + (folded > 0 ? busyPauseMs : idlePauseMs) }
}
