import { secondMs } from '../lib/durations.ts'
import type { Runtime } from '../runtime.ts'
import { type BroadcastRow, findBroadcast } from '../store/broadcasts/broadcasts.ts'
import { countSkips } from '../store/broadcasts/recipients.ts'
import { countResults } from '../store/broadcasts/results.ts'

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
  /** How many turns had passed when it was counted. */
  taken: number
  at: number
}

/** Counting a million takes a second, and is done again once that is a tenth of its age. */
const trusted = { minMs: secondMs, maxMs: 10 * secondMs, times: 10 }

/** What became of the recipients: counted from their messages, at most a few seconds ago. */
export async function tallyOf(rt: Runtime, row: BroadcastRow): Promise<Tally> {
  // A change of its state shows at once.
  const name = `broadcast ${row.id} ${row.status} ${row.accepted}`
  const startedMs = performance.now()
  const last = rt.recentCounts.find(name, startedMs)
  if (last !== undefined) return last as Tally
  const tally = await rt.singleflight.run(`count ${name}`, () => count(rt, row))
  const endedMs = performance.now()
  const until = endedMs + Math.min(trusted.maxMs, Math.max(trusted.minMs, (endedMs - startedMs) * trusted.times))
  rt.recentCounts.note(name, tally, until)
  return tally
}

type Outcome = 'waiting' | 'under_way' | 'sent' | 'failed' | 'unknown' | 'expired' | 'canceled'

/** What a message of a broadcast counts as. */
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

async function count(rt: Runtime, row: BroadcastRow): Promise<Tally> {
  const { id: broadcast_id, account_id, status } = row
  // In this order: what moves meanwhile is counted as under way, never twice.
  const results = await rt.store.read(countResults, { broadcast_id })
  const skips = await rt.store.read(countSkips, { broadcast_id })
  const [{ accepted, taken } = row] = await rt.store.read(findBroadcast, { account_id, id: broadcast_id })
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
    taken,
    at: rt.clock.now(),
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
