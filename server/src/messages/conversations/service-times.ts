import { randomInt } from 'node:crypto'
import { validationFailed } from '../../contract/app-error.ts'
import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { lockFolds } from '../../store/analytics/analytics.ts'
import { deleteInBatches } from '../../store/engine/expire-before.ts'
import { Unit } from '../../store/engine/unit.ts'
import {
  deleteReplies,
  expireReplyDays,
  foldReplies,
  serviceCounts,
  takeReplies,
  waitBoundsSeconds,
  waitingDays,
} from '../../store/messages/replies.ts'
import { memberNames } from './conversation-line.ts'

const windowMs = dayMs
const daysDefault = 7
const daysMax = 92
const keptMs = 400 * dayMs

/** Replies that took about as long. */
type Waits = { bucket: number; n: number; waited_ms: number }

/**
 * How long customers waited for a person: every wait that began in the range, counted once, by the UTC day on which it
 * began and by who replied. One that a program ended, or that was closed without a reply, is none.
 */
export async function describeServiceTimes(
  rt: Runtime,
  accountId: string,
  { from, to }: { from?: string; to?: string },
) {
  const now = rt.clock.now()
  const toAt = Math.ceil((to === undefined ? now + 1 : Date.parse(to)) / dayMs) * dayMs
  const fromAt = from === undefined ? toAt - daysDefault * dayMs : Math.floor(Date.parse(from) / dayMs) * dayMs
  requireRange(fromAt, toAt)
  const range = { account_id: accountId, from_at: fromAt, to_at: toAt }
  const [rows, waiting] = await Promise.all([
    rt.store.read(serviceCounts, range),
    rt.store.read(waitingDays, { ...range, closed_before: now - windowMs }),
  ])
  const byDay = Map.groupBy(rows, ({ day }) => day)
  const byPerson = Map.groupBy(rows, ({ user_id }) => user_id)
  const waitingOf = new Map(waiting.map((one) => [one.day, one]))
  const people = [...byPerson.keys()].filter((id) => id !== null)
  const names = await memberNames(rt, accountId, people)
  const days = [...new Set([...byDay.keys(), ...waitingOf.keys()])].filter((day) => day !== null).sort((a, b) => a - b)
  const missed = waiting.reduce((total, one) => total + one.missed, 0)
  return {
    from: formatInstant(fromAt),
    to: formatInstant(toAt),
    totals: {
      ...shown(byPerson.get(null) ?? [], missed),
      waiting: waiting.reduce((total, one) => total + one.waiting, 0),
    },
    days: days.map((day) => ({
      date: formatInstant(day),
      ...shown(byDay.get(day) ?? [], waitingOf.get(day)?.missed ?? 0),
      waiting: waitingOf.get(day)?.waiting ?? 0,
    })),
    agents: people
      .map((id) => ({ user_id: id, name: names.get(id) ?? null, ...shown(byPerson.get(id) ?? [], 0) }))
      .sort((a, b) => b.replies - a.replies),
  }
}

function requireRange(fromAt: number, toAt: number): void {
  const isRange = fromAt < toAt && toAt - fromAt <= daysMax * dayMs
  if (isRange) return
  const message = `Give a range of at most ${daysMax} days whose start is before its end.`
  throw validationFailed([{ field: 'from', location: 'query', code: 'invalid_value', message }])
}

/** `missed`: they wait still, and their window has closed. */
function shown(waits: readonly Waits[], missed: number) {
  const replies = sum(waits, ({ n }) => n)
  const within = (ms: number) =>
    sum(waits, ({ bucket, n }) => ((waitBoundsSeconds[bucket] ?? Number.POSITIVE_INFINITY) * 1_000 <= ms ? n : 0))
  const ended = replies + missed
  return {
    replies,
    median_wait_seconds: medianSeconds(waits, replies),
    average_wait_seconds: replies === 0 ? null : Math.round(sum(waits, ({ waited_ms: ms }) => ms) / replies / 1_000),
    within_hour: within(hourMs),
    within_window: within(windowMs),
    missed,
    within_window_percent: ended === 0 ? null : Math.round((within(windowMs) / ended) * 1_000) / 10,
  }
}

/**
 * The reply in the middle, or the two of them, counts as long as those of its bucket took on average. That lies between the
 * bounds of the bucket, and is exact where a bucket has one reply.
 */
function medianSeconds(waits: readonly Waits[], replies: number): number | null {
  if (replies === 0) return null
  const buckets = new Map<number, Waits>()
  for (const { bucket, n, waited_ms: ms } of waits) {
    const known = buckets.get(bucket)
    buckets.set(bucket, { bucket, n: n + (known?.n ?? 0), waited_ms: ms + (known?.waited_ms ?? 0) })
  }
  const inOrder = [...buckets.values()].sort((a, b) => a.bucket - b.bucket)
  const msAt = (rank: number) => {
    let left = rank
    for (const { n, waited_ms: ms } of inOrder) {
      if (left <= n) return ms / n
      left -= n
    }
    return 0
  }
  return Math.round((msAt(Math.ceil(replies / 2)) + msAt(Math.floor(replies / 2) + 1)) / 2_000)
}

function sum<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}

const foldBatch = 500
// Nobody who replies to the same wait at the same time takes longer: until then its row keeps it from being counted twice.
const foldAfterMs = 10 * minuteMs

/** The job: moves replies into the counts of their days, each batch all or nothing. Who asks sees both. */
export async function foldOldReplies(rt: Pick<Runtime, 'store' | 'clock'>): Promise<'done'> {
  for (;;) {
    // Tells what this fold takes from the others.
    const fold = { fold: randomInt(1, 2 ** 48 - 1) }
    const unit = new Unit()
    unit.add(lockFolds, {})
    const taken = unit.add(takeReplies, { ...fold, before: rt.clock.now() - foldAfterMs, count: foldBatch })
    unit.add(foldReplies, fold)
    unit.add(deleteReplies, fold)
    if ((await rt.store.writeApart(unit)).rows(taken).length < foldBatch) return 'done'
  }
}

export async function expireOldReplies(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - keptMs
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireReplyDays, { before, count }))
  return 'done'
}
