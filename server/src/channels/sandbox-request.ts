import { waitUntil } from '../lib/async/wait-until.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import { enqueueJob, findJob } from '../store/jobs/jobs.ts'

export const sandboxRequestKind = 'accounts.connect_sandbox'

/**
 * Every account starts with a sandbox number of its own. Making the number calls the sandbox, which may be away and is
 * never part of a transaction: the request is a job, stored with the account and run by the process with the sandbox.
 */
export function addSandboxRequest(rt: Runtime, unit: Unit, accountId: string): void {
  if (rt.config.sandboxListen === 'off') return
  const now = rt.clock.now()
  unit.add(enqueueJob, {
    id: rt.newId('job'),
    lane: 'main',
    kind: sandboxRequestKind,
    subject: accountId,
    account_id: accountId,
    payload: '{}',
    run_at: now,
    now,
  })
}

/** Whether the request is done within this time. */
export async function sandboxConnected(rt: Runtime, accountId: string, deadlineMs: number): Promise<boolean> {
  const done = await waitUntil(
    (listener) => rt.store.onCommit('jobs', listener),
    async () => {
      const [job] = await rt.store.read(findJob, { kind: sandboxRequestKind, subject: accountId })
      return job ? null : true
    },
    deadlineMs,
  )
  return done === true
}
