import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { claimOperations } from '../store/jobs/pull-back.ts'

/**
 * Where one process works on a store, what is claimed at its start was claimed by one that died, and nobody else holds it:
 * nothing has to wait for the end of a lease. To be called before anything is claimed again.
 */
export async function endClaims({ store, clock }: Pick<Runtime, 'store' | 'clock'>): Promise<void> {
  if (store.shared) return
  const now = clock.now()
  const never = Number.MAX_SAFE_INTEGER
  const unit = new Unit()
  const horizon = { now, paced: never, soon: never, latest: never, lease_until: now }
  for (const operation of claimOperations) unit.add(operation, horizon)
  await store.write(unit)
}
