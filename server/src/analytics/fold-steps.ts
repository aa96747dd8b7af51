import { randomInt } from 'node:crypto'
import { dayMs } from '../lib/durations.ts'
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
import {
  deleteOldCounts,
  deleteOldRecipientDays,
  deleteOldRecipientGaps,
  deleteOldValues,
  outdatedSeries,
} from '../store/analytics/analytics-expiry.ts'
import { deleteOldPriceDays, foldPriceDays } from '../store/costs/price-days.ts'
import { deleteOldReported } from '../store/costs/reported-days.ts'
import { deleteOldTiers } from '../store/costs/volume-tiers.ts'
import { Unit } from '../store/engine/unit.ts'
import { addRecipientDays, addRecipientGaps } from '../store/messages/recipients.ts'
import { deleteOldTemplateDays, foldTemplateDays } from '../store/templates/template-days.ts'

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

/** Once this fold has the lock, steps taken by another fold are gone. */
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
  unit.add(foldPriceDays, steps)
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

// One month more than anybody can ask for.
const monthsKept = 37
// A delete of this many rows holds the writer for a few milliseconds.
const expiryBatch = 1_000
// A week is shown. The other one is for operators who query the table.
const templateDaysKeptMs = 14 * dayMs
const seriesMax = 100
const roundsMax = 200
const restMs = dayMs
const expiryPauseMs = 1_000

/** The first day whose recipients are still told apart. They are people: kept as long as their messages, no longer. */
export function recipientsSince(rt: Pick<Runtime, 'config'>, now: number): number {
  return Math.ceil(now / dayMs - rt.config.retentionMetadataDays) * dayMs
}

/** The job: takes away what is too old, in small bites. */
export async function expireAnalytics(rt: Runtime): Promise<{ againAt: number }> {
  const now = rt.clock.now()
  let rounds = 0
  while (rounds < roundsMax && (await expireRound(rt, now))) rounds++
  return { againAt: rt.clock.now() + (rounds < roundsMax ? restMs : expiryPauseMs) }
}

/** True when there may be more. */
async function expireRound(rt: Runtime, now: number): Promise<boolean> {
  const before = countsSince(now)
  const outdated = await rt.store.read(outdatedSeries, { before, count: seriesMax })
  let more = outdated.length === seriesMax
  // One after the other: together they would be one long transaction.
  for (const one of outdated) more = (await deleteSeries(rt, { ...one, before, count: expiryBatch })) || more
  return (await deleteDays(rt, now)) || more
}

function countsSince(now: number): number {
  const day = new Date(now)
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - monthsKept, 1)
}

async function deleteSeries(
  rt: Runtime,
  bite: { account_id: string; series: number; before: number; count: number },
): Promise<boolean> {
  const unit = new Unit()
  const calls = [unit.add(deleteOldCounts, bite), unit.add(deleteOldValues, bite)]
  const result = await rt.store.writeApart(unit)
  return calls.some((call) => result.rows(call).length === expiryBatch)
}

async function deleteDays(rt: Runtime, now: number): Promise<boolean> {
  const before = recipientsSince(rt, now)
  const unit = new Unit()
  const used = unit.add(deleteOldTemplateDays, { before: now - templateDaysKeptMs, count: expiryBatch })
  const days = unit.add(deleteOldRecipientDays, { before, count: expiryBatch })
  const gaps = unit.add(deleteOldRecipientGaps, { before, count: expiryBatch })
  const prices = unit.add(deleteOldPriceDays, { before: countsSince(now), count: expiryBatch })
  const reported = unit.add(deleteOldReported, { before: countsSince(now), count: expiryBatch })
  const tiers = unit.add(deleteOldTiers, { before: countsSince(now), count: expiryBatch })
  const result = await rt.store.writeApart(unit)
  return [used, days, gaps, prices, reported, tiers].some((call) => result.rows(call).length === expiryBatch)
}
