import { validationFailed } from '../../contract/app-error.ts'
import { dayMs, hourMs } from '../../lib/durations.ts'
import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { deleteInBatches } from '../../store/engine/expire-before.ts'
import { expireReplies, serviceDays, waitingDays } from '../../store/messages/replies.ts'
import { memberNames } from './conversation-line.ts'

const windowMs = dayMs
const daysDefault = 7
const daysMax = 92
const keptMs = 400 * dayMs

type Sums = { replies: number; waited_ms: number; within_hour: number; within_window: number }
const nothing: Sums = { replies: 0, waited_ms: 0, within_hour: 0, within_window: 0 }

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
  const today = now - (now % dayMs)
  const toAt = to === undefined ? now + 1 : Date.parse(to)
  const fromAt = from === undefined ? today - (daysDefault - 1) * dayMs : Date.parse(from)
  requireRange(fromAt, toAt)
  const range = { account_id: accountId, from_at: fromAt, to_at: toAt }
  const [rows, waiting] = await Promise.all([
    rt.store.read(serviceDays, { ...range, hour: hourMs, window: windowMs }),
    rt.store.read(waitingDays, { ...range, closed_before: now - windowMs }),
  ])
  const names = await memberNames(
    rt,
    accountId,
    rows.map(({ user_id }) => user_id),
  )
  const days = [...new Set([...rows, ...waiting].map(({ day }) => day))].sort((a, b) => a - b)
  const missed = waiting.reduce((total, one) => total + one.missed, 0)
  return {
    from: formatInstant(fromAt),
    to: formatInstant(toAt),
    totals: { ...shown(sum(rows), missed), waiting: waiting.reduce((total, one) => total + one.waiting, 0) },
    days: days.map((day) => {
      const ofDay = waiting.find((one) => one.day === day)
      const own = rows.filter((row) => row.day === day)
      return { date: formatInstant(day), ...shown(sum(own), ofDay?.missed ?? 0), waiting: ofDay?.waiting ?? 0 }
    }),
    agents: [...new Set(rows.map(({ user_id }) => user_id))]
      .map((id) => ({
        user_id: id,
        name: names.get(id) ?? null,
        ...shown(sum(rows.filter(({ user_id }) => user_id === id)), 0),
      }))
      .sort((a, b) => b.replies - a.replies),
  }
}

function requireRange(fromAt: number, toAt: number): void {
  const isRange = fromAt < toAt && toAt - fromAt <= daysMax * dayMs
  if (isRange) return
  const message = `Give a range of at most ${daysMax} days whose start is before its end.`
  throw validationFailed([{ field: 'from', location: 'query', code: 'invalid_value', message }])
}

function sum(rows: readonly Sums[]): Sums {
  return rows.reduce(
    (total, one) => ({
      replies: total.replies + one.replies,
      waited_ms: total.waited_ms + one.waited_ms,
      within_hour: total.within_hour + one.within_hour,
      within_window: total.within_window + one.within_window,
    }),
    nothing,
  )
}

/** `missed`: they wait still, and their window has closed. */
function shown({ replies, waited_ms, within_hour, within_window }: Sums, missed: number) {
  const ended = replies + missed
  return {
    replies,
    average_wait_seconds: replies === 0 ? null : Math.round(waited_ms / replies / 1_000),
    within_hour,
    within_window,
    missed,
    within_window_percent: ended === 0 ? null : Math.round((within_window / ended) * 1_000) / 10,
  }
}

export async function expireOldReplies(rt: Runtime): Promise<'done'> {
  const before = rt.clock.now() - keptMs
  await deleteInBatches(rt.store, (unit, count) => unit.add(expireReplies, { before, count }))
  return 'done'
}
