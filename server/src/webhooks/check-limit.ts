import type { Runtime } from '../runtime.ts'
import { requireWithinLimit } from '../throttles.ts'

/** Tests and challenges by hand share one allowance: the receiver cannot tell them apart either. */
export function requireCheckLimit(rt: Runtime, accountId: string): void {
  const sentence = 'At most ten webhook tests and challenges can be sent per minute.'
  requireWithinLimit(rt.throttles.webhookChecks, accountId, rt.clock.now(), sentence)
}
