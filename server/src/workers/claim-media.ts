import { randomUUID } from 'node:crypto'
import type { Runtime } from '../runtime.ts'
import { Unit } from '../store/engine/unit.ts'
import { accountsWithMediaJobs, type ClaimedJob, claimMediaJobs } from '../store/jobs/jobs.ts'
import { renewedLeaseMs } from './jobs.ts'

/** Downloads of this process at once. */
export const mediaConcurrency = 6
/** Of one account: half, so that an account with 48,000 files always leaves room for the others. */
const accountShare = 3

/** Claims jobs of the media lane, accounts in turn and none beyond its share. */
export function createMediaClaim(rt: Runtime): (running: readonly ClaimedJob[]) => Promise<ClaimedJob[]> {
  let after = ''

  return async (running) => {
    const free = mediaConcurrency - running.length
    const left = (accountId: string) => accountShare - running.filter((job) => job.account_id === accountId).length
    const accounts = (await dueAccounts()).filter((id) => left(id) > 0).slice(0, free)
    if (accounts.length === 0) return []
    after = accounts.at(-1) ?? ''
    const now = rt.clock.now()
    const lease = { now, lease_until: now + renewedLeaseMs(rt), claim: randomUUID() }
    const each = Math.floor(free / accounts.length)
    const unit = new Unit()
    const calls = accounts.map((account_id) =>
      unit.add(claimMediaJobs, { ...lease, account_id, count: Math.min(left(account_id), each) }),
    )
    const result = await rt.store.write(unit)
    return calls.flatMap((call) => result.rows(call))
  }

  /** From the one after the last served on, round to the beginning. Enough that those at their share leave others. */
  async function dueAccounts(): Promise<string[]> {
    const now = rt.clock.now()
    const count = 2 * mediaConcurrency
    const rows = await rt.store.read(accountsWithMediaJobs, { after, now, count })
    const more =
      rows.length < count && after !== '' ? await rt.store.read(accountsWithMediaJobs, { after: '', now, count }) : []
    return [...new Set([...rows, ...more].map(({ account_id }) => account_id))]
  }
}
