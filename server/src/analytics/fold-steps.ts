import { randomInt } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import {
  claimSteps,
  deleteSteps,
  foldCounts,
  foldLatencies,
  foldPricing,
  lockFolds,
  pendingSteps,
} from '../store/analytics.ts'
import { addRecipientDays, addRecipientGaps } from '../store/recipients.ts'
import { Unit } from '../store/unit.ts'

// Enough to make many steps one row, few enough to hold the writer for some 20 ms.
const batch = 2_000
const batchesMax = 500

/**
 * Moves the steps that are on disk into the roll-ups, each batch all or nothing: a step is always in exactly one of the
 * two places. Whoever asks for figures folds first and so sees everything that was committed before.
 */
export async function foldSteps(rt: Runtime): Promise<number> {
  let folded = 0
  while (folded < batchesMax && (await isPending(rt))) {
    await rt.store.write(foldUnit())
    folded++
  }
  return folded
}

async function isPending(rt: Runtime): Promise<boolean> {
  const [found] = await rt.store.read(pendingSteps, {})
  return (found?.pending ?? 0) > 0
}

function foldUnit(): Unit {
  const fold = randomInt(1, 2 ** 48 - 1)
  const unit = new Unit()
  unit.add(lockFolds, {})
  unit.add(claimSteps, { fold, count: batch })
  unit.add(foldCounts, { fold })
  unit.add(foldLatencies, { fold })
  unit.add(foldPricing, { fold })
  unit.add(addRecipientDays, { fold })
  unit.add(addRecipientGaps, { fold })
  unit.add(deleteSteps, { fold })
  return unit
}

const busyPauseMs = 1_000
const idlePauseMs = 10_000

/** The job: often while there is traffic, so that nobody who asks has much to fold. */
export async function foldRegularly(rt: Runtime): Promise<{ againAt: number }> {
  const folded = await foldSteps(rt)
  return { againAt: rt.clock.now() + (folded > 0 ? busyPauseMs : idlePauseMs) }
}
