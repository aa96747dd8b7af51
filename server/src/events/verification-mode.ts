import type { Runtime } from '../runtime.ts'

/** 1 when events wait until the receiver returned the challenge, 0 when the operator waived that; for statements. */
export function enforced(rt: Pick<Runtime, 'config'>): number {
  return rt.config.webhookVerification === 'enforce' ? 1 : 0
}
