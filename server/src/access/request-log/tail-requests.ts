import { formatInstant } from '../../lib/instant.ts'
import type { Runtime } from '../../runtime.ts'
import { tailRequestLog } from '../../store/accounts/request-log.ts'

export type RequestTail = {
  /** Null: of all accounts. */
  accountId: string | null
  statusMin: number
  statusMax: number
  /** A part of the route; empty: any. */
  route: string
  count: number
  /** The `asked_at` of the answer before; null: whenever it was. */
  since: number | null
}

/** Rows are on disk a quarter of a second after a request has ended, and clocks of nodes differ by a little. */
const lateMs = 5_000
/** Sends take a minute at most; streams that last longer are not waited for. */
const durationMsMax = 90_000

/**
 * The newest requests, newest last. With `since` those that have ended since then, and once more those that ended up to five
 * seconds before: a follower skips the ids it has seen, and misses none that was written late.
 */
export async function tailRequests(rt: Runtime, tail: RequestTail) {
  const askedAt = rt.clock.now()
  const endedFrom = tail.since === null ? 0 : tail.since - lateMs
  const rows = await rt.store.read(tailRequestLog, {
    account_id: tail.accountId ?? '',
    from_at: Math.max(0, endedFrom - durationMsMax),
    ended_from: endedFrom,
    status_min: tail.statusMin,
    status_max: tail.statusMax,
    like: `%${tail.route.replace(/[\\%_]/g, '\\$&')}%`,
    count: tail.count,
  })
  const requests = rows.reverse().map(({ at, ...row }) => ({ at: formatInstant(at), ...row }))
  return { requests, asked_at: askedAt, keeps: rt.config.requestLog }
}
