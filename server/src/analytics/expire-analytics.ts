import { dayMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import {
  deleteOldCounts,
  deleteOldRecipientDays,
  deleteOldRecipientGaps,
  deleteOldValues,
  outdatedSeries,
} from '../store/analytics/analytics-expiry.ts'
import { Unit } from '../store/engine/unit.ts'
import { deleteOldTemplateDays } from '../store/templates/template-days.ts'

// One month more than anybody can ask for.
const monthsKept = 37
// A delete of this many rows holds the writer for a few milliseconds.
const batch = 1_000
// A week is shown. The other one is for operators who query the table.
const templateDaysKeptMs = 14 * dayMs
const seriesMax = 100
const roundsMax = 200
const restMs = dayMs
const busyPauseMs = 1_000

/** The first day whose recipients are still told apart. They are people: kept as long as their messages, no longer. */
export function recipientsSince(rt: Pick<Runtime, 'config'>, now: number): number {
  return Math.ceil(now / dayMs - rt.config.retentionMetadataDays) * dayMs
}

/** The job: takes away what is too old, in small bites. */
export async function expireAnalytics(rt: Runtime): Promise<{ againAt: number }> {
  const now = rt.clock.now()
  let rounds = 0
  while (rounds < roundsMax && (await expireRound(rt, now))) rounds++
  return { againAt: rt.clock.now() + (rounds < roundsMax ? restMs : busyPauseMs) }
}

/** True when there may be more. */
async function expireRound(rt: Runtime, now: number): Promise<boolean> {
  const before = countsSince(now)
  const outdated = await rt.store.read(outdatedSeries, { before, count: seriesMax })
  let more = outdated.length === seriesMax
  // One after the other: together they would be one long transaction.
  for (const one of outdated) more = (await deleteSeries(rt, { ...one, before, count: batch })) || more
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
  return calls.some((call) => result.rows(call).length === batch)
}

async function deleteDays(rt: Runtime, now: number): Promise<boolean> {
  const before = recipientsSince(rt, now)
  const unit = new Unit()
  const used = unit.add(deleteOldTemplateDays, { before: now - templateDaysKeptMs, count: batch })
  const days = unit.add(deleteOldRecipientDays, { before, count: batch })
  const gaps = unit.add(deleteOldRecipientGaps, { before, count: batch })
  const result = await rt.store.writeApart(unit)
  return [used, days, gaps].some((call) => result.rows(call).length === batch)
}
