import type { RateLimit } from '../../server/src/limits/rate.ts'
import type { Runtime } from '../../server/src/runtime.ts'

const costlyActs = /^(template|webhookCheck|export|invitation) /

/** Lifts the pace of costly acts, which has tests of its own: a test that asks for everything does so hundreds of times a minute. */
export function unhurried(rt: Pick<Runtime, 'sharedRate'>): void {
  const { sharedRate } = rt
  const isCostly = ({ key }: RateLimit) => costlyActs.test(key)
  Object.assign(rt, {
    sharedRate: Object.assign(Object.create(sharedRate) as object, {
      look: async (limit: RateLimit) => (isCostly(limit) ? 0 : sharedRate.look(limit)),
      reserve: async (limits: readonly RateLimit[], waitMaxMs: number) =>
        limits.every(isCostly) ? { waitMs: 0 } : sharedRate.reserve(limits, waitMaxMs),
    }),
  })
}
