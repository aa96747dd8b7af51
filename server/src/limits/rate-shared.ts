import { createBatcher } from '../lib/async/batcher.ts'
import type { Clock } from '../lib/clock.ts'
import { ensureRateKey, findRate, reserveSends, returnReserved } from '../store/channels/numbers.ts'
import type { Store } from '../store/engine/store.ts'
import { Unit, unitOf } from '../store/engine/unit.ts'
import type { RateLimit, RateLimiter, Reservation } from './rate.ts'

type Request = { limits: readonly RateLimit[]; waitMaxMs: number }
/** Reservations granted to a key, and how many of them are used. */
type Grant = { granted: number; startedAt: number; used: number }
type Tools = { store: Store; clock: Clock }

/**
 * For many processes on PostgreSQL: the sends of the same moment share one statement for all their keys, and the rows of
 * the table make all nodes one queue.
 */
export function createSharedRateLimiter(rt: Tools): RateLimiter {
  const batcher = createBatcher<Request, Reservation>(async (requests) => {
    const now = rt.clock.now()
    const grants = await reserveAll(rt, requests, now)
    const reservations = requests.map((request) => reservationOf(request, grants, now))
    await giveBack(rt, requests, grants)
    return reservations
  })
  return {
    reserve: (limits, waitMaxMs) => batcher.add({ limits, waitMaxMs }),
    async takeFree({ key, everyMs, burst }, wanted) {
      const now = rt.clock.now()
      const aheadMs = everyMs * (burst - 1)
      const unit = unitOf(ensureRateKey, { slot_key: key })
      const call = unit.add(reserveSends, { slot_key: key, wanted, every_ms: everyMs, latest_at: now + aheadMs, now })
      const { granted = 0, started_at = now } = (await rt.store.tally(unit)).first(call) ?? {}
      return { granted, waitMs: Math.max(0, started_at + granted * everyMs - aheadMs - now) }
    },
    async giveBack({ key, everyMs }, count) {
      await rt.store.tally(unitOf(returnReserved, { slot_key: key, by_ms: everyMs * count }))
    },
    async look({ key, everyMs, burst }) {
      const [rate] = await rt.store.read(findRate, { slot_key: key })
      return Math.max(0, (rate?.empty_at ?? 0) - everyMs * (burst - 1) - rt.clock.now())
    },
  }
}

async function reserveAll(rt: Tools, requests: readonly Request[], now: number): Promise<Map<string, Grant>> {
  const wanted = new Map<string, { limit: RateLimit; waitMaxMs: number; count: number }>()
  for (const { limits, waitMaxMs } of requests) {
    for (const limit of limits) {
      const known = wanted.get(limit.key)
      if (known) {
        known.count++
        known.waitMaxMs = Math.max(known.waitMaxMs, waitMaxMs)
      } else wanted.set(limit.key, { limit, waitMaxMs, count: 1 })
    }
  }
  const unit = new Unit()
  unit.add(ensureRateKey, ...[...wanted.keys()].map((slot_key) => ({ slot_key })))
  const reservations = [...wanted.values()].map(({ limit: { key, everyMs, burst }, waitMaxMs, count }) => ({
    slot_key: key,
    wanted: count,
    every_ms: everyMs,
    latest_at: now + waitMaxMs + everyMs * (burst - 1),
    now,
  }))
  const call = unit.add(reserveSends, ...reservations)
  const rows = (await rt.store.tally(unit)).rows(call)
  return new Map(rows.map((row) => [row.slot_key, { granted: row.granted, startedAt: row.started_at, used: 0 }]))
}

/** Uses the next granted reservation of every key, or none where one of them is missing or too late. */
function reservationOf({ limits, waitMaxMs }: Request, grants: Map<string, Grant>, now: number): Reservation {
  const reserved = limits.map(({ key, everyMs, burst }) => {
    const grant = grants.get(key)
    if (!grant || grant.used >= grant.granted) return null
    const waitMs = Math.max(0, grant.startedAt + grant.used * everyMs - everyMs * (burst - 1) - now)
    return waitMs > waitMaxMs ? null : { grant, waitMs }
  })
  const refused = reserved.indexOf(null)
  if (refused !== -1) return { refused }
  for (const each of reserved) if (each) each.grant.used++
  return { waitMs: Math.max(...reserved.map((each) => each?.waitMs ?? 0)) }
}

/** Returns unused grants; otherwise a busy number would use up the limits of its customers. */
async function giveBack(rt: Tools, requests: readonly Request[], grants: Map<string, Grant>): Promise<void> {
  const limits = new Map(requests.flatMap(({ limits }) => limits.map((limit) => [limit.key, limit])))
  const rows = [...grants].flatMap(([slot_key, { granted, used }]) =>
    granted === used ? [] : [{ slot_key, by_ms: (granted - used) * (limits.get(slot_key)?.everyMs ?? 0) }],
  )
  if (rows.length === 0) return
  await rt.store.tally(unitOf(returnReserved, ...rows))
}
