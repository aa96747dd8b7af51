import type { PoolClient } from 'pg'

const plansKeptMs = 5_000
const plannedAt = new WeakMap<PoolClient, number>()

export const discardPlans = 'discard plans'

/**
 * Whether a connection that keeps plans has to discard them first. They are kept for seconds, not for ever: one that was
 * made when a table was empty would read all of it when it has grown, and how large a table is now PostgreSQL sees
 * whenever it plans.
 */
export function plansAreOld(client: PoolClient): boolean {
  const now = performance.now()
  const at = plannedAt.get(client) ?? Number.NEGATIVE_INFINITY
  if (now - at < plansKeptMs) return false
  plannedAt.set(client, now)
  return true
}
