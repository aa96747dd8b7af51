import { minuteMs, secondMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, findBroadcast } from '../store/broadcasts/broadcasts.ts'
import { countSkips } from '../store/broadcasts/recipients.ts'
import { countResults } from '../store/broadcasts/results.ts'
import type { RowOf } from '../store/engine/operation.ts'

/** Every recipient is in one of these; `delivered` and `read` are parts of `sent`. */
export type Counts = {
  accepted: number
  waiting: number
  under_way: number
  sent: number
  delivered: number
  read: number
  failed: number
  unknown: number
  skipped: number
  expired: number
  canceled: number
}

export type Tally = {
  counts: Counts
  skipped: Record<string, number>
  failures: { code: string; count: number }[]
  at: number
}

/** Counts from messages and skips, and the time to count them. */
type Counted = {
  results: readonly RowOf<(typeof countResults)['returns']>[]
  skips: readonly RowOf<(typeof countSkips)['returns']>[]
  at: number
  tookMs: number
  countedMs: number
}

/** Believed for a second, or ten times as long as counting took: a million takes a second or two. */
const believed = { minMs: secondMs, maxMs: minuteMs, times: 10 }
/** A slower count runs after the response, which shows the previous count. */
const awaitedMaxMs = 100
const shownMaxMs = 2 * minuteMs

/** After a change of its state nobody wants to see what was before; at its end nothing else will do. */
export type Moment = 'any' | 'change' | 'end'

/**
 * What became of the recipients. Who had a turn since the messages were counted is under way until they are counted again.
 */
export async function tallyOf(rt: Runtime, row: BroadcastRow, moment: Moment = 'any'): Promise<Tally> {
  const counted = await countedOf(rt, row.id, moment)
  // Read after the messages: no sum is ever larger than the whole.
  const [{ accepted, taken } = row] = await rt.store.read(findBroadcast, { account_id: row.account_id, id: row.id })
  return tallied(row.status, counted, { accepted, taken })
}

async function countedOf(rt: Runtime, id: string, moment: Moment): Promise<Counted> {
  const name = `broadcast ${id}`
  const now = performance.now()
  const last = rt.recentCounts.find(name, now) as Counted | undefined
  const counting = async () => {
    const counted = await count(rt, id)
    rt.recentCounts.note(name, counted, counted.countedMs + shownMaxMs)
    return counted
  }
  // One that began before may have missed the last result.
  if (moment === 'end') return counting()
  const recount = () => rt.singleflight.run(`count ${name}`, counting)
  if (!last || (moment === 'change' && last.tookMs <= awaitedMaxMs)) return recount()
  const ageMs = now - last.countedMs
  if (ageMs < Math.min(believed.maxMs, Math.max(believed.minMs, last.tookMs * believed.times))) return last
  if (last.tookMs <= awaitedMaxMs) return recount()
  recount().catch((error: unknown) => rt.log.warn({ err: error, broadcast_id: id }, 'broadcast.not_counted'))
  return last
}

async function count(rt: Runtime, broadcast_id: string): Promise<Counted> {
  const startedMs = performance.now()
  // In this order: what moves meanwhile is counted as under way, never twice.
  const results = await rt.store.read(countResults, { broadcast_id })
  const skips = await rt.store.read(countSkips, { broadcast_id })
  const countedMs = performance.now()
  return { results, skips, at: rt.clock.now(), tookMs: countedMs - startedMs, countedMs }
}

type Outcome = 'waiting' | 'under_way' | 'sent' | 'failed' | 'unknown' | 'expired' | 'canceled'

/** The result that a message of a broadcast counts as. */
export function outcomeOf(message: {
  status: string
  outcome: string | null
  is_open: number
  error: string | null
}): Outcome {
  const { status, outcome, is_open: isOpen, error } = message
  if (status === 'waiting' || status === 'canceled') return status
  if (status === 'queued') return isOpen === 1 ? 'under_way' : 'unknown'
  if (status !== 'failed') return 'sent'
  if (outcome === 'unknown') return 'unknown'
  return codeOf(error) === 'message_expired' ? 'expired' : 'failed'
}

/** An error is stored with its code first; what is counted is only its beginning. */
export function codeOf(error: string | null): string | null {
  return /^\{"code":"([a-z0-9_]+)"/.exec(error ?? '')?.[1] ?? null
}

function tallied(
  status: string,
  { results, skips, at }: Counted,
  { accepted, taken }: { accepted: number; taken: number },
): Tally {
  const counts: Counts = { ...nothing, accepted }
  const failures = new Map<string, number>()
  for (const result of results) {
    const outcome = outcomeOf(result)
    counts[outcome] += result.count
    if (['delivered', 'read'].includes(result.status)) counts.delivered += result.count
    if (result.status === 'read') counts.read += result.count
    const code = outcome === 'failed' ? (codeOf(result.error) ?? 'channel_rejected') : null
    if (code !== null) failures.set(code, (failures.get(code) ?? 0) + result.count)
  }
  counts.skipped = skips.reduce((sum, skip) => sum + skip.count, 0)
  const left = accepted - taken
  if (status === 'canceled') counts.canceled += left
  else if (status === 'completed') counts.expired += left
  else counts.waiting += left
  counts.under_way = accepted - sumOf(counts)
  return {
    counts,
    skipped: Object.fromEntries(skips.map((skip) => [skip.reason, skip.count])),
    failures: [...failures].map(([code, times]) => ({ code, count: times })).sort((a, b) => b.count - a.count),
    at,
  }
}

const nothing: Counts = {
  accepted: 0,
  waiting: 0,
  under_way: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
  expired: 0,
  canceled: 0,
}

function sumOf({ waiting, sent, failed, unknown, skipped, expired, canceled }: Counts): number {
  return waiting + sent + failed + unknown + skipped + expired + canceled
}
