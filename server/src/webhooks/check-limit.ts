import type { Runtime } from '../runtime.ts'
import { requireWithinLimit } from '../throttles.ts'

/** Tests and challenges by hand share one allowance: the receiver cannot tell them apart either. */
export function requireCheckLimit(rt: Runtime, accountId: string): void {
  const sentence = 'At most ten tests and challenges of webhooks can be sent in a minute.'
  requireWithinLimit(rt.throttles.webhookChecks, accountId, rt.clock.now(), sentence)
}
