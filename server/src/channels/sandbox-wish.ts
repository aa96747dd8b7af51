import { waitUntil } from '../lib/wait-until.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import { findJob } from '../store/jobs/job-presence.ts'
import { enqueueJob } from '../store/jobs/jobs.ts'

export const sandboxWishKind = 'accounts.connect_sandbox'

/**
 * Every account starts on a sandbox number of its own. The number is made by calling the sandbox, which may be away and
 * is never part of a transaction: the wish is a job, stored with the account and carried out by whoever runs the sandbox.
 */
export function addSandboxWish(rt: Runtime, unit: Unit, accountId: string): void {
  if (rt.config.sandboxListen === 'off') return
  const now = rt.clock.now()
  unit.add(enqueueJob, {
    id: rt.newId('job'),
    lane: 'main',
    kind: sandboxWishKind,
    subject: accountId,
    account_id: accountId,
    payload: '{}',
    run_at: now,
    now,
  })
}

/** Whether the wish has come true within this time. */
export async function sandboxConnected(rt: Runtime, accountId: string, deadlineMs: number): Promise<boolean> {
  const done = await waitUntil(
    (listener) => rt.store.onCommit('jobs', listener),
    async () => {
      const [job] = await rt.store.read(findJob, { kind: sandboxWishKind, subject: accountId })
      return job ? null : true
    },
    deadlineMs,
  )
  return done === true
}
