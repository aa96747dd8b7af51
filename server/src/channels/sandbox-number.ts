import { AppError } from '../contract/app-error.ts'
import { waitUntil } from '../lib/async/with-timeout.ts'
import type { SandboxPlace } from '../platform/sandbox-control.ts'
import type { Runtime } from '../runtime.ts'
import type { Unit } from '../store/engine/unit.ts'
import { enqueueJob, findJob } from '../store/jobs/jobs.ts'
import { listNumbers, type NumberRecord } from './channel-record.ts'
import { requireNumber } from './require-number.ts'

type SandboxLine = { numberId: string; phoneNumber: string; name: string | null; place: SandboxPlace }

export async function listSandboxNumbers(rt: Runtime, accountId: string): Promise<NumberRecord[]> {
  return (await listNumbers(rt, accountId)).filter(({ kind }) => kind === 'sandbox')
}

/** A number of this account that is in the sandbox. Nobody plays the customer of a real one. */
export async function requireSandboxNumber(rt: Runtime, accountId: string, numberId: string): Promise<SandboxLine> {
  const known = (await listSandboxNumbers(rt, accountId)).some(({ id }) => id === numberId)
  if (!known) throw new AppError('channel_not_found', 'This account does not have this number in the sandbox.')
  const number = await requireNumber(rt, accountId, { from: numberId })
  const { baseUrl, phoneNumberId } = number.credentials
  return {
    numberId: number.id,
    phoneNumber: number.phoneNumber,
    name: number.displayName,
    place: { url: baseUrl, phoneNumberId },
  }
}

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
